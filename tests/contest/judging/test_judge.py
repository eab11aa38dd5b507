import pytest

from contest.infra import clock
from contest.judging import judge as judging
from contest.models import Best, Disqualification, Submission, Verdict, Verification
from tests import cast
from tests.cast import judged, send, verdict_on

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
    row = verdict_on(moves)
    assert (row.verdict, row.lurd, row.moves, row.pushes) == (Verdict.ACCEPTED, "rR", 2, 1)
    assert (row.cut, row.case_corrected) == (cut, is_corrected)


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


def test_a_void_level_is_judged_all_the_same(during_round):
    """Rule 2.10."""
    during_round.levels.filter(slot="main").update(voided_at=cast.DURING)
    row = verdict_on("rR")
    assert (row.verdict, row.level.slot) == (Verdict.ACCEPTED, "main")
