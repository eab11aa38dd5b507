"""How often a page may ask the database: eight times at most, with a cache as every site has one."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test.utils import override_settings

from contest import results
from contest.infra import cache as cached
from contest.infra import clock
from contest.models import Best, Note, Player, Question, Round
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.browser import whole_site
from tests.budgets import MOST_QUERIES, asked

pytestmark = pytest.mark.django_db
NAMES = ["Ann", "Bo", "Cy", "Dee", "Eve"]
# Who comes first after a change pays for those who come later. What may be more than eight then, and why.
MOST_OF_THE_FIRST = {
    # Best places, first times, held points, rivals, who they are: each of other rows, kept until a board changes.
    r"players/\d+-": 10,
}


def _forgiven(path: str) -> int:
    """How many of the first reader's questions are not counted."""
    return next((most - MOST_QUERIES for page, most in MOST_OF_THE_FIRST.items() if re.match(page, path)), 0)


@pytest.fixture
def whole(cache_of_its_own):
    """A site with something on every page."""
    return whole_site.load()


def test_no_public_page_asks_more_than_eight_times_whoever_reads_it(whole):
    """A stranger who comes first after a change or later, and somebody signed in whose rows are marked."""
    over = {}
    for page in whole_site.pages(whole, desk=False):
        address = page.address("en")
        cache.clear()
        first, later = asked(whole.client(page.role), address), asked(whole.client(page.role), address)
        counted = [first[_forgiven(page.path) :], later]
        if page.role == whole_site.STRANGER and not page.path.startswith("account/"):
            counted.append(asked(whole.client(whole_site.ACCOUNT), address))
        if any(len(statements) > MOST_QUERIES for statements in counted):
            over[address] = counted
    assert not over


@pytest.fixture
def shelf(monkeypatch):
    """A final round and an open one, each with two levels that five players have solved; and a cache."""
    monkeypatch.setattr(cached.breaker, "rests_until", 0.0)
    old = cast.a_round(1, opens_at=cast.OPENS - timedelta(days=60), closes_at=cast.OPENS - timedelta(days=39))
    for round_ in (old, cast.a_round(2)):
        for place, name in enumerate(NAMES):
            for slot in ("main", "extra"):
                cast.enter(round_, name, 50 + place, 20 - place, slot=slot, at=round_.opens_at + timedelta(days=place))
        with clock.set_to(old.closes_at + timedelta(hours=1)):
            if round_ is old:
                results.finalise(old, at=clock.now(), by=None)
    with (
        override_settings(CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}),
        clock.set_to(cast.DURING + timedelta(days=3)),
    ):
        cache.clear()
        yield
        cache.clear()


def test_home_between_rounds_asks_later_readers_eight_questions_at_most(shelf, client):
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        first, later = asked(client, "/en/"), asked(client, "/en/")
        assert "Last records" in client.get("/en/").content.decode()
    assert (len(first) <= MOST_QUERIES + 3, len(later) <= MOST_QUERIES) == (True, True), (first, later)


def test_a_round_of_which_everything_was_said_asks_later_readers_eight_questions_at_most(shelf, client):
    """Notes, rulings and questions, which most rounds have none of, are a question each."""
    round_ = Player.objects.get(nickname="Ann").submissions.filter(round__number=1)[0].round
    reason, at = Reason(zh="缘由", en="Reason"), cast.DURING
    Note.objects.create(
        round=round_, kind=Note.Kind.REVISED, values={"revision": 2}, text_zh="公告", text_en="Note", written_at=at
    )
    rulings.disqualify(round_, Player.objects.get(nickname="Eve"), reason, at=at, by=None)
    Round.objects.filter(number=1).update(complete_at=at)  # as the judging side notes once all is judged and chained
    answered = {"is_public": True, "public_text": "Why?", "answer_en": "So.", "asked_at": at, "answered_at": at}
    Question.objects.create(round=round_, player=Player.objects.get(nickname="Bo"), text="Why?", **answered)
    # The round, its levels, what was said, the chain and the banner; before that the tops, results, who is in them and
    # the newest submissions are made.
    first, later = asked(client, "/en/rounds/1/"), asked(client, "/en/rounds/1/")
    assert (len(first) <= MOST_QUERIES + 3, len(later) <= MOST_QUERIES) == (True, True), (first, later)
    assert b"Why?" in client.get("/en/rounds/1/").content


@pytest.mark.parametrize("page", ["player", "compare"])
def test_the_pages_of_players_ask_eight_times_at_most(shelf, client, django_assert_max_num_queries, page):
    ann, bo = (Player.objects.get(nickname=name) for name in ("Ann", "Bo"))
    address = {"player": ann.get_absolute_url(), "compare": f"/en/compare/{ann.pk}/{bo.pk}/"}[page]
    assert client.get(address).status_code == 200
    with django_assert_max_num_queries(MOST_QUERIES):
        client.get(address)


def test_cards_show_the_leader_of_their_rounds_own_ranking_and_none_of_a_void_level(shelf, client):
    """Rules 2.10, 16.4."""
    Player.objects.filter(nickname="Ann").update(league="bot")
    Best.objects.filter(player__nickname="Ann").update(league="bot")
    cache.clear()
    text = client.get("/en/").content.decode()
    assert "<strong>51</strong>" in text  # Bo's moves: Ann's 50 are a program's
    assert "<strong>50</strong>" not in text
