"""The list of accepted submissions; a cached list is up to date and contains nothing private."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Player, Submission
from contest.web.pages import accepted
from tests import cast

pytestmark = pytest.mark.django_db
LATER = cast.AFTER + timedelta(days=1)
ADDRESS = "ann@example.org"


@pytest.fixture
def closed(cache_of_its_own):
    """A closed round of two players, one of whom gave an address."""
    round_ = cast.a_round()
    for slot in ("main", "extra"):
        cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4)], slot=slot)
    Player.objects.filter(nickname="Ann").update(email=ADDRESS)
    with clock.set_to(LATER):
        yield round_


@pytest.mark.parametrize("by", ["received", "moves"])
def test_each_page_continues_where_the_previous_one_ended(during_round, client, monkeypatch, by):
    """Rule 7.1; pages near the end are queried from the end."""
    monkeypatch.setattr(accepted, "PER_PAGE", 3)
    cast.enter_all(during_round, [("Ann", 30 - moves % 7, 3) for moves in range(11)])
    pages = [client.get(f"/en/rounds/1/submissions/?by={by}&page={page}").context["chosen"] for page in range(1, 5)]
    expected = Submission.objects.order_by(*accepted.ORDERS[by])
    assert [row.pk for page in pages for row in page] == [row.pk for row in expected]


def test_a_nickname_with_a_proof_is_not_marked_unclaimed_in_a_cached_list(closed, client):
    """Rule 4.12."""
    Player.objects.update(claim_sha256="")
    for _reader in ("first", "later"):
        text = client.get("/en/rounds/1/").content.decode()
        latest = text[text.index("Last accepted") :]
        assert latest.count("unclaimed</span>") == 2  # Bo's two; Ann has an address
