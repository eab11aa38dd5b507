"""Cached boards and their ETags."""

import pytest

from contest import judging
from contest.infra import cache
from contest.players import acts
from contest.rankings import standings
from tests import cast

pytestmark = pytest.mark.django_db
URL = "/api/v1/rounds/1/main/standings/"


@pytest.fixture
def level(during_round):
    """A level with one result."""
    cast.enter(during_round, "Ada", 5, 2, at=cast.DURING)
    return during_round.levels.get(slot="main")


def test_an_unchanged_board_is_not_counted_again(level, cache_of_its_own, monkeypatch):
    before = standings.count(level, "moves"), standings.standings(level, "moves")
    monkeypatch.setattr(standings.pareto, "numbers", lambda *_board: 1 / 0)
    monkeypatch.setattr(standings, "accumulate", lambda _counts: 1 / 0)
    assert (standings.count(level, "moves"), standings.standings(level, "moves")) == before


def test_without_a_cache_boards_are_ranked_again(level, monkeypatch):
    monkeypatch.setattr(cache.breaker, "rests_until", 0.0)
    assert [standings.count(level, "moves") for _ in range(2)] == [1, 1]


def test_only_changes_of_a_boards_content_invalidate_its_cache(client, level, cache_of_its_own):
    """An accepted submission changes it, and so do a player's name and country."""

    def known():
        return client.get(URL, headers={"If-None-Match": etags[-1]}).status_code == 304

    etags = [client.get(URL)["ETag"]]
    ada = standings.standings(level, "moves")[0].player
    for act, changes in (
        (lambda: cast.send("Bo", "r"), False),
        (lambda: cast.send("Cy", "rR"), True),
        (lambda: acts.rename(ada, "Another name", None), True),
        (lambda: acts.set_country(ada, "cn", None), True),
        (lambda: acts.erase(ada, None), True),
    ):
        act()
        judging.judge_until_empty()
        assert known() is not changes
        etags.append(client.get(URL)["ETag"])


def test_other_pages_of_a_board_have_other_etags(client, during_round):
    queries = ["", "?by=pushes", "?league=bot", "?start=1", "?limit=7", "?around=1"]
    assert len({client.get(URL + query)["ETag"] for query in queries}) == len(queries)
