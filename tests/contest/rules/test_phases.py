from datetime import timedelta

import pytest

from contest.models import Round
from contest.rules.phases import Phase
from tests.cast import CLOSES, OPENS

TICK, HOUR = timedelta(microseconds=1), timedelta(hours=1)
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
        (CLOSES + HOUR, Phase.OPEN),
        (CLOSES + 2 * HOUR, Phase.CLOSED),
        (CLOSES + 3 * HOUR, Phase.FINAL),
    ],
)
def test_the_phase_is_a_function_of_the_times(at, phase):
    """Rules 1.12, 3.2, 3.6, 3.10: the opening instant is inside, the closing one outside; also of a make-up window."""
    window = {"make_up_opens_at": CLOSES + HOUR, "make_up_closes_at": CLOSES + 2 * HOUR}
    times = {"announced_at": ANNOUNCED, "opens_at": OPENS, "closes_at": CLOSES, "finalised_at": CLOSES + 3 * HOUR}
    assert Round(number=1, **times, **window).phase(at) == phase


def test_a_round_never_announced_never_opens_and_a_cancellation_takes_effect_at_its_instant():
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES).phase(OPENS) == Phase.DRAFT
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES, cancelled_at=OPENS).phase(CLOSES) == Phase.CANCELLED
    round_ = Round(number=1, announced_at=ANNOUNCED, opens_at=OPENS, closes_at=CLOSES, cancelled_at=CLOSES)
    assert [round_.phase(at) for at in (CLOSES - TICK, CLOSES)] == [Phase.OPEN, Phase.CANCELLED]
