"""Solutions of another level or of a turned board in the judge (rules 6.9 and 6.10)."""

import pytest

from contest.models import Best, Door, Slot, Verdict
from tests import cast
from tests.cast import verdict_on

pytestmark = pytest.mark.django_db

HOOK = "#######|#@---##|#-$---#|####.-#|#######"
SOLUTION = "dRRurD"
CLOCKWISE = "lDDrdL"  # solves the hook turned clockwise


@pytest.fixture
def hook(during_round):
    return cast.a_level(during_round, Slot.EXTRA2, HOOK, SOLUTION)


def test_a_solution_of_the_turned_board_is_offered_and_not_taken_and_no_moves_are_recorded(hook):
    """Rules 6.10, 6.12."""
    row = verdict_on(CLOCKWISE)
    assert row.verdict in (Verdict.ILLEGAL, Verdict.NOT_SOLVED)
    assert row.turned == {
        "symmetry": "clockwise",
        "slot": "extra2",
        "lurd": SOLUTION,
        "moves": 6,
        "pushes": 3,
        "spectator": False,
    }
    assert not Best.objects.exists()
    assert SOLUTION not in str(row.verifications.get().outcome)


def test_what_solves_as_sent_is_offered_nothing(hook):
    assert verdict_on(SOLUTION).turned is None


def test_a_named_level_that_fails_offers_the_one_that_is_solved(hook):
    row = verdict_on("rR", slot="extra2")
    assert (row.verdict, row.level.slot) == (Verdict.NOT_SOLVED, "extra2")
    assert (row.turned["symmetry"], row.turned["slot"], row.turned["lurd"]) == ("identity", "main", "rR")


def test_moves_among_other_words_are_looked_at_again_too(hook):
    row = verdict_on(f"My best so far:\n{CLOCKWISE}\nThanks!", door=Door.WEB)
    assert row.turned["lurd"] == SOLUTION
