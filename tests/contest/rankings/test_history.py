from datetime import timedelta

import pytest

from contest.models import Submission
from contest.rankings import history, personal_bests, standings
from tests import cast
from tests.contest.rankings.conftest import names

pytestmark = pytest.mark.django_db


def minute(number):
    return cast.DURING + timedelta(minutes=number)


def test_the_previous_rank_is_that_of_the_board_at_that_moment(example):
    for submission in Submission.objects.order_by("number"):
        for metric in ("moves", "pushes"):
            just_before = submission.received_at - timedelta(microseconds=1)
            rows = history.standings_at(example, metric, just_before)
            rank = next((row.rank for row in rows if row.player == submission.player), None)
            assert history.ranks_before(submission, [metric])[metric] == rank


def test_a_pending_submission_appears_with_its_verdict_at_its_time_of_receipt(example):
    """Rule 7.9."""
    late = cast.enter(example.round, "F", 400, 100, at=minute(2))
    Submission.objects.filter(pk=late.pk).update(state="queued", verdict="", judged_at=None)
    personal_bests.recount([example], [late.player])
    assert "F" not in names(history.standings_at(example, "moves", minute(4)))
    Submission.objects.filter(pk=late.pk).update(state="judged", verdict="accepted", judged_at=cast.AFTER)
    personal_bests.recount([example], [late.player])
    assert names(history.standings_at(example, "moves", minute(2)))[0] == "F"
    assert names(history.standings_at(example, "moves", minute(1))) == ["A", "C"]


def test_the_best_count_falls_step_by_step(example):
    """Rule 8.9: the first player to reach a count need not lead."""
    assert standings.standings(example, "moves")[0].player.nickname == "B"
    cast.enter(example.round, "F", 490, 300, at=minute(9))
    assert [(row.player.nickname, row.moves) for row in history.progress(example, "moves")] == [("A", 500), ("F", 490)]
    pushes = history.progress(example, "pushes")
    assert [(row.player.nickname, row.pushes) for row in pushes] == [("A", 120), ("C", 110)]


def test_a_void_level_has_no_past(example):
    """Rule 2.10."""
    example.voided_at = cast.DURING
    assert history.standings_at(example, "moves", cast.AFTER) == []
    assert list(history.progress(example, "moves")) == []
