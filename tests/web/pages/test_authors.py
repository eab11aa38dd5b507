"""Those who made the levels, as far as their rounds have opened."""

import pytest
from django.urls import reverse

from contest.models import LibraryLevel, Player, Proposal
from tests import cast

pytestmark = pytest.mark.django_db


def said(answer) -> str:
    return answer.content.decode()


def test_an_author_stands_with_their_published_levels(client):
    cast.a_round()
    assert "main of 1" in said(client.get("/en/authors/Author/"))
    assert '<a href="/en/authors/Author/">Author</a>' in said(client.get("/en/authors/"))
    assert "/en/authors/Author/" in said(client.get("/en/rounds/1/main/"))


def test_nobody_is_an_author_before_the_round_opens(client):
    """Rules 2.8, 7.4."""
    cast.a_round(opens_at=cast.AFTER, closes_at=cast.AFTER + (cast.CLOSES - cast.OPENS))
    assert client.get("/en/authors/Author/").status_code == 404
    assert "Author</a>" not in said(client.get("/en/authors/"))


@pytest.mark.parametrize("name", ["Ann/Ben", "50% #1?", "O'Neill & <b>"])
def test_any_name_has_its_page(client, name, in_english):
    cast.a_round().levels.filter(slot="main").update(author=name)
    assert client.get(reverse("author", args=[name])).context["author"] == name


def test_who_proposed_a_published_level_is_named_as_a_player(client):
    round_ = cast.a_round()
    cast.enter(round_, "Ben", 2, 1, at=cast.DURING)
    kept = LibraryLevel.objects.create(
        text="", sha256="", key="", width=6, height=3, boxes=1, added_at=cast.OPENS, used_in=round_
    )
    Proposal.objects.create(
        player=Player.objects.get(),
        author="Author",
        state="accepted",
        text=cast.CORRIDOR,
        width=6,
        height=3,
        boxes=1,
        made_at=cast.OPENS,
        sent_at=cast.OPENS,
        kept_as=kept,
    )
    assert "Plays as" in said(client.get("/en/authors/Author/"))
