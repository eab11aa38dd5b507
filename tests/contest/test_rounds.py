from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import rounds
from contest.models import Round
from tests import cast

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
BEFORE = cast.OPENS - HOUR


def refused(round_, at):
    with pytest.raises(ValidationError) as refusal:
        rounds.check_times(round_, at)
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
    assert "1" in refused(another(opens_at, closes_at), cast.OPENS - 2 * HOUR).messages[0]


@pytest.mark.parametrize("fields", [{"announced_at": None}, {"cancelled_at": BEFORE}])
def test_a_draft_and_a_cancelled_round_may_overlap(fields):
    cast.a_round()
    rounds.check_times(another(cast.OPENS, cast.CLOSES, **fields), BEFORE)


def test_a_round_may_open_when_the_last_one_closes():
    cast.a_round()
    rounds.check_times(another(cast.CLOSES, cast.CLOSES + HOUR), BEFORE)


@pytest.mark.parametrize("field", ["opens_at", "closes_at"])
def test_times_may_change_before_the_opening(field):
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) + HOUR)
    rounds.check_times(round_, BEFORE)


def test_an_announced_round_does_not_open_in_the_past():
    round_ = cast.a_round(announced_at=None)
    round_.announced_at = BEFORE
    assert "opens_at" in refused(round_, cast.DURING).message_dict


@pytest.mark.parametrize("field", ["opens_at", "announced_at"])
def test_the_opening_is_frozen_once_it_has_passed(field):
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) - HOUR)
    assert field in refused(round_, cast.OPENS).message_dict


def test_an_open_round_may_close_later_and_never_earlier():
    round_ = cast.a_round()
    round_.closes_at = cast.CLOSES + HOUR
    rounds.check_times(round_, cast.DURING)
    round_.closes_at = cast.CLOSES - HOUR
    assert "closes_at" in refused(round_, cast.DURING).message_dict


def test_a_closed_round_stays_closed():
    round_ = cast.a_round()
    round_.closes_at = cast.CLOSES + HOUR
    assert "closes_at" in refused(round_, cast.CLOSES).message_dict


def test_an_announced_number_stays():
    round_ = cast.a_round()
    round_.number = 5
    assert "number" in refused(round_, BEFORE).message_dict


@pytest.mark.parametrize("cancelled_at", [cast.DURING + HOUR, BEFORE])
def test_an_open_round_is_cancelled_now(cancelled_at):
    round_ = cast.a_round()
    round_.cancelled_at = cancelled_at
    assert "cancelled_at" in refused(round_, cast.DURING).message_dict
    round_.cancelled_at = cast.DURING
    rounds.check_times(round_, cast.DURING)


def test_the_first_suggestion_is_round_one_in_a_week_for_three_weeks():
    suggested = rounds.suggestion(cast.DURING)
    assert suggested["number"] == 1
    assert suggested["closes_at"] - suggested["opens_at"] == timedelta(weeks=3)
    assert suggested["opens_at"].strftime("%H:%M %Z") == "20:00 CST"


def test_the_next_suggestion_follows_the_last_round():
    cast.a_round(6)
    suggested = rounds.suggestion(cast.DURING)
    assert suggested["number"] == 7
    assert suggested["opens_at"] > cast.CLOSES
