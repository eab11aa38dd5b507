from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import CollectedLevel, LevelResult, Metric, Player
from contest.rankings import collected as rankings
from contest.submissions import Entry, at_once
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def corridor(db) -> CollectedLevel:
    cast.a_collection()
    return CollectedLevel.objects.get(place=1)


def sent(level, moves: str, nickname: str = "Ann", *, at=cast.DURING, **fields) -> at_once.CollectedReceipt:
    with clock.set_to(at):
        return at_once.accept_collected(Entry(nickname, moves, **fields), level)


@pytest.mark.parametrize("moves", ["r", "?!", "", "lll"])
def test_moves_that_do_not_solve_are_refused_with_the_judges_message_and_not_stored(corridor, moves):
    refused = cast.refused(sent, corridor, moves)
    assert (refused.field, bool(refused.reason)) == ("moves", True)
    assert (LevelResult.objects.count(), Player.objects.count()) == (0, 0)


def test_a_repeated_solution_is_stored_once(corridor):
    key = "0123456789abcdef0123"
    first = sent(corridor, "rR", idempotency_key=key)
    assert (first.result.lurd, first.result.moves, first.result.pushes) == ("rR", 2, 1)
    assert sent(corridor, "rR", idempotency_key=key).claim == first.claim  # the response with it may have been lost
    for moves, more in (("rlrR", {}), ("rR", {"idempotency_key": key, "at": cast.DURING + timedelta(minutes=11)})):
        assert cast.refused(sent, corridor, moves, **more).code == "name_taken"
    again = sent(corridor, "r R l", claim=first.claim, at=cast.DURING + timedelta(hours=1))
    assert (again.result.pk, again.is_new) == (first.result.pk, False)
    assert LevelResult.objects.count() == 1


def test_rankings_are_by_counts_then_time_with_a_single_row_per_player(corridor):
    ann = sent(corridor, "rlrR", "Ann", at=cast.DURING)
    worse = sent(corridor, "rlrlrR", "Ann", claim=ann.claim).result
    assert [rankings.rank(worse, metric) for metric in Metric] == [None, None]
    sent(corridor, "rR", "Bo", at=cast.DURING + timedelta(minutes=1))
    sent(corridor, "rR", "Cy", at=cast.DURING + timedelta(minutes=2))
    sent(corridor, "rR", "Ann", claim=ann.claim, at=cast.DURING + timedelta(minutes=3))
    for metric in Metric:
        rows = rankings.ranking(corridor, metric)
        shown = [(row.rank, row.player.nickname, row.moves) for row in rows]
        assert shown == [(1, "Bo", 2), (2, "Cy", 2), (3, "Ann", 2)]
        assert [rankings.rank(row, metric) for row in rows] == [1, 2, 3]
    corridor.refresh_from_db()
    assert (corridor.best_moves, corridor.best_pushes, corridor.solvers) == (2, 1, 3)


def test_results_go_with_a_merged_player_and_come_back(corridor):
    """Rule 4.13."""
    own_result, other = sent(corridor, "rR", "Ann").result, sent(corridor, "rlrR", "Anne").result
    ann, anne = own_result.player, other.player
    cast.merge(ann, anne, None, reason="the same")
    assert [row.player.nickname for row in rankings.ranking(corridor, Metric.MOVES)] == ["Anne"]
    corridor.refresh_from_db()
    assert corridor.solvers == 1
    ann.refresh_from_db()
    cast.unmerge(ann, None, reason="not the same")
    rows = rankings.ranking(corridor, Metric.MOVES)
    assert [(row.player.nickname, row.moves) for row in rows] == [("Ann", 2), ("Anne", 4)]
