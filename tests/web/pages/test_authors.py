"""Authors of levels from rounds that have opened."""

import pytest
from django.urls import reverse

from tests import cast

pytestmark = pytest.mark.django_db


def test_an_author_is_listed_with_their_published_levels(client):
    cast.a_round()
    assert "main of 1" in client.get("/en/authors/Author/").text
    assert '<a href="/en/authors/Author/">Author</a>' in client.get("/en/authors/").text
    assert "/en/authors/Author/" in client.get("/en/rounds/1/main/").text


@pytest.mark.parametrize("name", ["Ann/Ben", "50% #1?", "O'Neill & <b>"])
def test_any_author_name_has_a_page(client, name):
    cast.a_round().levels.filter(slot="main").update(author=name)
    assert client.get(reverse("author", args=[name])).context["author"] == name
