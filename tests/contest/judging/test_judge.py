import pytest

from contest.judging import judge as judging
from contest.models import Best, Disqualification, Door, Slot, Submission, Verdict, Verification
from tests import cast
from tests.cast import judged, send, submit

pytestmark = pytest.mark.django_db


def test_a_verdict_is_recorded_once_with_its_engine_and_levels(during_round):
    """Rules 5.4, 6.12."""
    receipt = send("player", "rR")
    assert judging.judge_until_empty() == 1
    assert judging.judge_until_empty() == 0
    record = Verification.objects.get(submission=receipt.submission)
    assert (record.engine_version, record.outcome["verdict"], record.outcome["level"]) == (1, "accepted", "main")


@pytest.mark.parametrize(
    ("moves", "cut", "is_corrected"), [("RRll", 2, True), ("rRuuuu", 4, False)], ids=["case", "impossible tail"]
)
def test_the_stored_lurd_is_the_scored_part_in_exact_case(during_round, moves, cut, is_corrected):
    """Rules 1.4, 1.5, 6.3 to 6.6, 19.5."""
    row = submit("player", moves)
    assert (row.verdict, row.lurd, row.moves, row.pushes) == (Verdict.ACCEPTED, "rR", 2, 1)
    assert (row.cut, row.case_corrected) == (cut, is_corrected)


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


HOOK = "#######|#@---##|#-$---#|####.-#|#######"
OF_THE_HOOK = "dRRurD"
CLOCKWISE = "lDDrdL"  # solves the hook turned clockwise


@pytest.fixture
def hook(during_round):
    return cast.a_level(during_round, Slot.EXTRA2, HOOK, OF_THE_HOOK)


def test_no_moves_of_an_offer_are_recorded_and_none_is_taken(hook):
    """Rules 6.10, 6.12."""
    row = submit("player", CLOCKWISE)
    assert row.verdict in (Verdict.ILLEGAL, Verdict.NOT_SOLVED)
    assert row.turned["lurd"] == OF_THE_HOOK
    assert OF_THE_HOOK not in str(row.verifications.get().outcome)
    assert not Best.objects.exists()


def test_moves_among_other_words_are_looked_at_again_too(hook):
    row = submit("player", f"My best so far:\n{CLOCKWISE}\nThanks!", door=Door.WEB)
    assert row.turned["lurd"] == OF_THE_HOOK
