"""How often a public page may ask the database: eight times at most, with a cache as every site has one."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test.utils import override_settings

from contest import cached, clock, results
from contest.models import Best, Player
from tests import cast

pytestmark = pytest.mark.django_db
MOST_QUERIES = 8
NAMES = ["Ann", "Bo", "Cy", "Dee", "Eve"]
PAGES = [
    "",
    "rounds/",
    "rounds/1/",
    "rounds/2/",
    "rounds/1/main/",
    "rounds/2/main/",
    "rounds/1/main/moves/",
    "rounds/2/main/pushes/",
    "rounds/2/main/pareto/",
    "rounds/1/submissions/",
    "rounds/2/submissions/",
    "rounds/1/results/",
    "rounds/2/results/",
    "rounds/2/questions/",
    "hall/",
    "records/",
    "countries/",
    "seasons/",
    "seasons/2026/",
    "ratings/",
    "stats/",
    "rounds/1/stats/",
    "rounds/2/stats/",
]


@pytest.fixture
def shelf(monkeypatch):
    """A final round and an open one, each with two levels that five players have solved; and a cache."""
    monkeypatch.setattr(cached, "_resting_until", 0.0)
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


@pytest.mark.parametrize("page", PAGES)
def test_a_public_page_asks_the_database_eight_times_at_most(shelf, client, django_assert_max_num_queries, page):
    assert client.get(f"/en/{page}").status_code == 200
    with django_assert_max_num_queries(MOST_QUERIES):
        client.get(f"/en/{page}")


@pytest.mark.parametrize("page", PAGES)
def test_the_first_reader_after_a_change_asks_one_question_more_at_most(
    shelf, client, django_assert_max_num_queries, page
):
    with django_assert_max_num_queries(MOST_QUERIES + 1):
        client.get(f"/en/{page}")


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
