from datetime import timedelta

import pytest

from contest import judging
from contest.models import Board, Level, Player, Round, Submission
from contest.models.round import default_settings
from contest.players import acts
from contest.rankings import pareto, personal_bests, standings
from tests import cast
from tests.contest.rankings.conftest import names

pytestmark = pytest.mark.django_db
URL = "/api/v1/rounds/1/main/standings/"


def a_player(name):
    return Player.objects.get(nickname=name)


def test_humans_and_bots_are_ranked_separately_unless_the_round_ranks_together(example):
    """Rules 16.2, 16.4."""
    best = cast.enter(example.round, "bot", 400, 100, at=cast.DURING + timedelta(hours=1))
    Player.objects.filter(pk=best.player.pk).update(league="bot")
    personal_bests.recount([example], [a_player("bot")])
    assert names(standings.standings(example, "moves")) == ["B", "A", "E", "C", "D"]
    assert names(standings.standings(example, "moves", league="bot")) == ["bot"]
    assert standings.ranks(best) == {"moves": 1, "pushes": 1}
    assert standings.rank_of(example, "moves", a_player("B")) == 1
    assert [point.holder.moves for point in pareto.points(example, "all")] == [400]
    Round.objects.update(settings={**default_settings(), "leagues": "together"})
    level = Level.objects.select_related("round").get(pk=example.pk)
    assert names(standings.standings(level, "moves")) == ["bot", "B", "A", "E", "C", "D"]
    assert standings.ranks(Submission.objects.get(player__nickname="B", moves=500)) == {"moves": 2, "pushes": None}
    assert standings.rank_of(level, "moves", a_player("B")) == 2


def test_practice_has_ranks_only_in_all_time(example):
    """Rule 20.1."""
    practice = cast.enter_all(example.round, [("A", 450, 120), ("D", 900, 120)])
    Submission.objects.filter(pk__in=[row.pk for row in practice]).update(is_practice=True)
    personal_bests.recount([example], [row.player for row in practice])
    assert names(standings.standings(example, "moves")) == ["B", "A", "E", "C", "D"]
    assert standings.count(example, "moves", board=standings.ALL_TIME) == 5
    assert [standings.ranks(row) for row in practice] == [{"moves": 1, "pushes": 3}, {"moves": None, "pushes": 5}]


def test_the_spectator_board_is_separate(example):
    """Rule 13.5."""
    answer = cast.enter(example.round, "F", 3, 1, at=cast.DURING)
    Submission.objects.filter(pk=answer.pk).update(verdict="spectator")
    personal_bests.recount([example], [answer.player])
    assert "F" not in names(standings.standings(example, "moves"))
    assert names(standings.standings(example, "moves", board=Board.SPECTATOR)) == ["F"]
    assert not standings.standings(example, "moves", board=Board.SPECTATOR)[0].pareto
    assert standings.ranks(answer) == {"moves": 1, "pushes": 1}
    assert standings.rows_around(example, "moves", answer.player) == []
    assert 3 not in {point.holder.moves for point in pareto.points(example, "human")}


def test_only_changes_of_a_boards_content_invalidate_its_cache(client, during_round, cache_of_its_own):
    ada = cast.enter(during_round, "Ada", 5, 2, at=cast.DURING).player

    def known():
        return client.get(URL, headers={"If-None-Match": etags[-1]}).status_code == 304

    etags = [client.get(URL)["ETag"]]
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
