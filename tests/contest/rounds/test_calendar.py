from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from contest.models import Round
from contest.rounds import calendar, lifecycle
from tests import cast

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
BEFORE = cast.OPENS - HOUR


def refused(round_, at):
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
    """Rule 2.6."""
    cast.a_round()
    assert "1" in refused(another(opens_at, closes_at), cast.OPENS - 2 * HOUR).messages[0]


@pytest.mark.parametrize("fields", [{"announced_at": None}, {"cancelled_at": BEFORE}])
def test_a_draft_and_a_cancelled_round_may_overlap(fields):
    """Rule 2.6."""
    cast.a_round()
    calendar.check_times(another(cast.OPENS, cast.CLOSES, **fields), BEFORE)


def test_a_round_may_open_when_the_last_one_closes():
    """Rules 2.6, 3.2."""
    cast.a_round()
    calendar.check_times(another(cast.CLOSES, cast.CLOSES + HOUR), BEFORE)


@pytest.mark.parametrize("field", ["opens_at", "closes_at"])
def test_times_may_change_before_the_opening(field):
    """Rule 3.7."""
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) + HOUR)
    calendar.check_times(round_, BEFORE)


def test_an_announced_round_does_not_open_in_the_past():
    """Rules 3.6, 3.7."""
    round_ = cast.a_round(announced_at=None)
    round_.announced_at = BEFORE
    assert "opens_at" in refused(round_, cast.DURING).message_dict


@pytest.mark.parametrize("field", ["opens_at", "announced_at"])
def test_the_opening_is_frozen_once_it_has_passed(field):
    """Rules 2.5, 2.9, 3.1, 3.7."""
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) - HOUR)
    assert field in refused(round_, cast.OPENS).message_dict


def test_an_open_round_may_close_later_and_never_earlier():
    """Rule 3.7."""
    round_ = cast.a_round()
    round_.closes_at = cast.CLOSES + HOUR
    calendar.check_times(round_, cast.DURING)
    round_.closes_at = cast.CLOSES - HOUR
    assert "closes_at" in refused(round_, cast.DURING).message_dict


def test_a_closed_round_stays_closed():
    """Rule 3.7."""
    round_ = cast.a_round()
    round_.closes_at = cast.CLOSES + HOUR
    assert "closes_at" in refused(round_, cast.CLOSES).message_dict


def test_an_announced_number_stays():
    """Rule 2.1."""
    round_ = cast.a_round()
    round_.number = 5
    assert "number" in refused(round_, BEFORE).message_dict


def test_the_first_suggestion_is_round_one_in_a_week_for_three_weeks():
    """Rules 2.1, 2.5, 3.5."""
    suggested = calendar.suggestion(cast.DURING)
    assert suggested["number"] == 1
    assert suggested["closes_at"] - suggested["opens_at"] == timedelta(weeks=3)
    assert suggested["opens_at"].strftime("%H:%M %Z") == "20:00 CST"


def test_the_next_suggestion_follows_the_last_round():
    """Rules 2.1, 2.5."""
    cast.a_round(6)
    suggested = calendar.suggestion(cast.DURING)
    assert suggested["number"] == 7
    assert suggested["opens_at"] > cast.CLOSES


def test_a_suggestion_looks_at_announced_rounds():
    """A draft with a digit too many in its year moves nothing."""
    cast.a_round(6)
    far = datetime(9999, 12, 1, tzinfo=UTC)
    Round.objects.create(number=7, opens_at=far, closes_at=far + timedelta(days=1))
    suggested = calendar.suggestion(cast.DURING)
    assert (suggested["number"], suggested["opens_at"].year) == (8, cast.CLOSES.year)


@pytest.mark.parametrize("year", [1, 1979, 2100, 9999])
def test_a_year_that_nobody_can_have_meant_is_refused(year):
    at = datetime(year, 6, 1, tzinfo=UTC)
    with pytest.raises(ValidationError) as refusal:
        lifecycle.save(Round(number=1, opens_at=at, closes_at=at + timedelta(days=1)), at=BEFORE, by=None)
    assert set(refusal.value.message_dict) == {"opens_at", "closes_at"}
