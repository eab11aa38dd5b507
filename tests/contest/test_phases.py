from datetime import timedelta

import pytest

from contest.models import Round
from contest.phases import Phase
from tests.cast import CLOSES, OPENS

TICK = timedelta(microseconds=1)
ANNOUNCED = OPENS - timedelta(days=7)


@pytest.mark.parametrize(
    ("at", "phase"),
    [
        (ANNOUNCED - TICK, Phase.DRAFT),
        (ANNOUNCED, Phase.SCHEDULED),
        (OPENS - TICK, Phase.SCHEDULED),
        (OPENS, Phase.OPEN),
        (CLOSES - TICK, Phase.OPEN),
        (CLOSES, Phase.CLOSED),
        (CLOSES + timedelta(days=1), Phase.FINAL),
    ],
)
def test_the_phase_is_a_function_of_the_times(at, phase):
    """Rule 3.6."""
    times = {"announced_at": ANNOUNCED, "opens_at": OPENS, "closes_at": CLOSES}
    assert Round(number=1, **times, finalised_at=CLOSES + timedelta(days=1)).phase(at) == phase


def test_a_round_never_announced_never_opens():
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES).phase(OPENS) == Phase.DRAFT


def test_cancelled_wins_over_all():
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES, cancelled_at=OPENS).phase(CLOSES) == Phase.CANCELLED
