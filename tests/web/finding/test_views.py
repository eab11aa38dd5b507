"""The search page and the results below the box."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Post, Round
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _site(db):
    cast.enter(cast.a_round(), "Willow", 10, 5, at=cast.DURING)
    Round.objects.update(title_en="Round of <willows>")
    with clock.set_to(cast.AFTER + timedelta(days=1)):
        yield


def test_the_page_links_the_results(client):
    """The response is private: it may contain the reader's own unlisted names."""
    answer = client.get("/en/search/?q=willow")
    page = answer.content.decode()
    assert page.count("/en/players/") == 1
    assert all(text in page for text in ("Round of &lt;willows&gt;", "/en/rounds/1/", "/en/levels/?q=willow"))
    part = client.get("/en/search/?q=willow&part=1").content.decode()
    assert ("/en/players/" in part, "<html" in part) == (True, False)
    posts = [Post(slug=f"p{number}", title_en="Weeping", published_at=cast.DURING) for number in range(21)]
    Post.objects.bulk_create(posts)
    found = [client.get(f"/en/search/?q=weeping{part}").context["found"].posts for part in ("", "&part=1")]
    assert [len(posts) for posts in found] == [20, 6]
    nothing = client.get("/en/search/?q=<nobody>").content.decode()
    assert "No results for “&lt;nobody&gt;”." in nothing
