from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from contest.models import Round
from contest.rounds import calendar
from tests import cast

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
BEFORE = cast.OPENS - HOUR


def refusal_of(round_, at):
    with pytest.raises(ValidationError) as refusal:
        calendar.check_times(round_, at)
    return refusal.value


def another(opens_at, closes_at, **fields):
    return Round(number=2, opens_at=opens_at, closes_at=closes_at, **{"announced_at": opens_at - HOUR, **fields})


@pytest.mark.parametrize(
    ("opens_at", "closes_at"),
    [
        (cast.OPENS - HOUR, cast.OPENS + timedelta(microseconds=1)),
        (cast.CLOSES - timedelta(microseconds=1), cast.CLOSES + HOUR),
        (cast.OPENS + HOUR, cast.CLOSES - HOUR),
        (cast.OPENS - HOUR, cast.CLOSES + HOUR),
    ],
)
def test_two_rounds_are_never_open_together(opens_at, closes_at):
    cast.a_round()
    assert "1" in refusal_of(another(opens_at, closes_at), cast.OPENS - 2 * HOUR).messages[0]


def test_drafts_and_cancelled_rounds_may_overlap_and_a_round_may_open_when_the_last_closes():
    """Rules 2.6, 3.2."""
    cast.a_round()
    for times, fields in (
        ((cast.OPENS, cast.CLOSES), {"announced_at": None}),
        ((cast.OPENS, cast.CLOSES), {"cancelled_at": BEFORE}),
        ((cast.CLOSES, cast.CLOSES + HOUR), {}),
    ):
        calendar.check_times(another(*times, **fields), BEFORE)


@pytest.mark.parametrize(
    ("field", "hours", "at", "may"),
    [
        ("opens_at", 1, BEFORE, True),
        ("closes_at", 1, BEFORE, True),
        ("number", 0, BEFORE, False),
        ("opens_at", -1, cast.OPENS, False),
        ("announced_at", -1, cast.OPENS, False),
        ("closes_at", 1, cast.DURING, True),
        ("closes_at", -1, cast.DURING, False),
        ("closes_at", 1, cast.CLOSES, False),
    ],
)
def test_an_announced_round_may_change_future_times_but_never_close_earlier(field, hours, at, may):
    """Rules 2.1, 2.5, 2.9, 3.1, 3.7."""
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) + HOUR * hours if hours else 5)
    if may:
        calendar.check_times(round_, at)
    else:
        assert field in refusal_of(round_, at).message_dict


def test_a_suggestion_follows_the_last_announced_round_by_a_week_for_three_weeks():
    """Rules 2.1, 2.5, 3.5: a draft with one digit too many in its year has no influence."""
    suggested = calendar.suggest_round(cast.DURING)
    assert suggested["number"] == 1
    assert suggested["closes_at"] - suggested["opens_at"] == timedelta(weeks=3)
    assert suggested["opens_at"].strftime("%H:%M %Z") == "20:00 CST"
    cast.a_round(6)
    far = datetime(9999, 12, 1, tzinfo=UTC)
    Round.objects.create(number=7, opens_at=far, closes_at=far + timedelta(days=1))
    suggested = calendar.suggest_round(cast.DURING)
    assert suggested["number"] == 8
    assert cast.CLOSES + timedelta(days=6) < suggested["opens_at"] < cast.CLOSES + timedelta(days=8)
