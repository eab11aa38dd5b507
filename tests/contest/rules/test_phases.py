from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from contest.models import Round
from contest.rules.phases import Phase
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
    """Rules 3.2, 3.6: the opening instant is inside, the closing instant outside."""
    times = {"announced_at": ANNOUNCED, "opens_at": OPENS, "closes_at": CLOSES}
    assert Round(number=1, **times, finalised_at=CLOSES + timedelta(days=1)).phase(at) == phase


def test_a_round_never_announced_never_opens():
    """Rule 3.6."""
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES).phase(OPENS) == Phase.DRAFT


def test_cancelled_wins_over_all():
    """Rule 3.6."""
    assert Round(number=1, opens_at=OPENS, closes_at=CLOSES, cancelled_at=OPENS).phase(CLOSES) == Phase.CANCELLED


def test_a_round_cancelled_later_is_not_yet_cancelled():
    """Rule 3.6: a pure function of the instant asked for."""
    round_ = Round(number=1, announced_at=ANNOUNCED, opens_at=OPENS, closes_at=CLOSES, cancelled_at=CLOSES)
    assert [round_.phase(at) for at in (CLOSES - TICK, CLOSES)] == [Phase.OPEN, Phase.CANCELLED]


@pytest.mark.parametrize(("hours", "phase"), [(0, Phase.CLOSED), (1, Phase.OPEN), (2, Phase.CLOSED), (3, Phase.FINAL)])
def test_a_make_up_window_opens_a_closed_round_again(hours, phase):
    """Rules 3.6, 3.10."""
    hour = timedelta(hours=1)
    window = {"make_up_opens_at": CLOSES + hour, "make_up_closes_at": CLOSES + 2 * hour}
    times = {"announced_at": ANNOUNCED, "opens_at": OPENS, "closes_at": CLOSES, "finalised_at": CLOSES + 3 * hour}
    assert Round(number=1, **times, **window).phase(CLOSES + hours * hour) == phase


def test_beijing_time_has_no_daylight_saving():
    """Rules 1.9, 3.5: eight hours ahead of UTC in every month."""
    for month in range(1, 13):
        at = datetime(2026, month, 15, 12, tzinfo=UTC)
        assert timezone.localtime(at).utcoffset() == timedelta(hours=8)
