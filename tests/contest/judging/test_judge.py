from datetime import timedelta

import pytest

from contest.infra import clock
from contest.judging import judge as judging
from contest.models import Best, Board, Disqualification, Metric, Submission, Verdict, Verification
from tests import cast
from tests.cast import judged, send

pytestmark = pytest.mark.django_db


def test_a_verdict_is_recorded_once_with_its_engine_and_levels(during_round):
    """Rules 5.4, 6.12."""
    receipt = send("player", "rR")
    assert judging.judge_until_empty() == 1
    assert judging.judge_until_empty() == 0
    record = Verification.objects.get(submission=receipt.submission)
    assert (record.engine_version, record.outcome["verdict"], record.outcome["level"]) == (1, "accepted", "main")


def test_the_site_finds_which_level_is_solved_and_a_named_slot_is_tried_alone(during_round):
    """Rules 6.8, 6.9."""
    found = send("player", cast.SOLUTIONS["extra"])
    named = send("rival", cast.SOLUTIONS["extra"], slot="main")
    judging.judge_until_empty()
    assert judged(found).level.slot == "extra"
    assert judged(named).verdict == Verdict.ILLEGAL


@pytest.mark.parametrize(
    ("moves", "cut", "is_corrected"), [("RRll", 2, True), ("rRuuuu", 4, False)], ids=["case", "impossible tail"]
)
def test_the_stored_lurd_is_the_scored_part_in_exact_case(during_round, moves, cut, is_corrected):
    """Rules 1.4, 1.5, 6.3 to 6.6, 19.5."""
    receipt = send("player", moves)
    judging.judge_until_empty()
    row = judged(receipt)
    assert (row.verdict, row.lurd, row.moves, row.pushes) == (Verdict.ACCEPTED, "rR", 2, 1)
    assert (row.cut, row.case_corrected) == (cut, is_corrected)


def test_each_player_keeps_the_best_by_each_ranking_and_of_equal_ones_the_first(during_round):
    """Rules 5.7, 8.3, 8.4, 19.5."""
    claim = send("player", "rlrR").claim
    best = send("player", "rR", claim=claim)
    for worse_or_later in ("rlrlrR", "RR"):
        send("player", worse_or_later, claim=claim)
    judging.judge_until_empty()
    assert set(Submission.objects.values_list("verdict", flat=True)) == {Verdict.ACCEPTED}
    rows = Best.objects.filter(player=best.submission.player)
    assert {(row.metric, row.submission_id) for row in rows} == {
        (metric.value, best.submission.pk) for metric in Metric
    }


def test_wrong_answers_change_no_board_version(during_round):
    level = during_round.levels.get(slot="main")
    send("player", "r")
    judging.judge_until_empty()
    level.refresh_from_db()
    assert level.board_version == 0
    send("rival", "rR")
    judging.judge_until_empty()
    level.refresh_from_db()
    assert level.board_version == 1


def test_what_was_received_in_time_counts_when_it_is_judged_after_the_close(during_round):
    """Rule 3.4."""
    receipt = send("player", "rR")
    with clock.set_to(cast.AFTER):
        judging.judge_until_empty()
    assert judged(receipt).verdict == Verdict.ACCEPTED
    assert Best.objects.count() == 2


@pytest.mark.parametrize("fields", [{"is_hors_concours": True}, {"voided_at": cast.DURING}, None])
def test_what_does_not_count_is_accepted_and_enters_no_board(during_round, fields):
    """Rules 1.7, 4.10, 15.1, 15.2; None: by a disqualified player."""
    receipt = send("player", "rR")
    if fields:
        Submission.objects.update(**fields)
    else:
        player = receipt.submission.player
        Disqualification.objects.create(round=during_round, player=player, ruled_at=cast.DURING)
    judging.judge_until_empty()
    assert judged(receipt).verdict == Verdict.ACCEPTED
    assert not Best.objects.exists()


def test_practice_is_judged_on_the_levels_of_its_round_and_keeps_to_its_own_board(during_round):
    """Rule 20.1."""
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=9))
    receipt = send("player", "rR")
    Submission.objects.update(is_practice=True)
    with clock.set_to(cast.AFTER):
        judging.judge_until_empty()
    assert (judged(receipt).verdict, judged(receipt).level.round) == (Verdict.ACCEPTED, during_round)
    assert set(Best.objects.values_list("board", flat=True)) == {Board.PRACTICE}


def test_a_void_level_is_judged_all_the_same(during_round):
    """Rule 2.10."""
    during_round.levels.filter(slot="main").update(voided_at=cast.DURING)
    receipt = send("player", "rR")
    judging.judge_until_empty()
    assert (judged(receipt).verdict, judged(receipt).level.slot) == (Verdict.ACCEPTED, "main")


def test_a_text_that_fits_two_levels_counts_for_the_first_unless_it_names_the_other(during_round):
    """Rules 5.3, 6.8, 6.9, 19.5."""
    cast.a_level(during_round, "extra2")
    unnamed, named = send("player", "rR"), send("rival", "rR", slot="extra2")
    judging.judge_until_empty()
    assert (judged(unnamed).level.slot, judged(named).level.slot) == ("main", "extra2")
    assert Best.objects.filter(player=unnamed.submission.player).count() == 2


@pytest.mark.parametrize(
    ("moves", "verdict"),
    [("", Verdict.EMPTY), ("  ", Verdict.EMPTY), ("r?", Verdict.MALFORMED), ("9999999r", Verdict.TOO_LONG)],
)
def test_what_cannot_be_replayed_has_its_own_verdict(during_round, moves, verdict):
    """Rules 5.8, 6.1, 6.7."""
    receipt = send("player", moves)
    judging.judge_until_empty()
    assert judged(receipt).verdict == verdict


@pytest.mark.parametrize(
    ("moves", "step", "why"),
    [("u", 1, "wall"), ("R", 1, "box_against_box"), ("DrU", 3, "box_against_wall"), ("drl", None, "")],
)
def test_the_first_impossible_step_is_named_with_its_cause(during_round, moves, step, why):
    """Rules 6.2, 6.11."""
    cast.a_level(during_round, "extra2", "#######|#@$$.-#|#--.--#|#######", "x")
    receipt = send("player", moves, slot="extra2")
    judging.judge_until_empty()
    row = judged(receipt)
    assert (row.step, row.why, row.case_corrected) == (step, why, False)


def test_a_failure_is_reported_for_the_level_on_which_the_moves_got_furthest(during_round):
    """Rule 6.11."""
    receipt = send("player", "rdd")  # on the main level the second step fails
    judging.judge_until_empty()
    assert (judged(receipt).level.slot, judged(receipt).step) == ("extra", 3)


def test_a_better_result_judged_first_stays_when_a_worse_one_is_judged_after_it(during_round):
    """Rules 5.7, 8.4."""
    worse = send("player", "rlrR")
    best = send("player", "rR", claim=worse.claim)
    for receipt in (best, worse):
        judging.judge_row(receipt.submission)
    assert set(Best.objects.values_list("submission", flat=True)) == {best.submission.pk}
