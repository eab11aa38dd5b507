from datetime import timedelta

import pytest

from contest import judging, visibility
from contest.infra import clock
from contest.models import AuditEntry, Note, Outage, Round
from contest.ops import outages
from contest.rounds import make_up
from contest.rules.phases import Phase
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
MINUTES = timedelta(minutes=1)
REASON = Reason(zh="原因", en="because")


@pytest.mark.parametrize(
    ("began", "ended", "is_held"),
    [
        (cast.CLOSES - 6 * MINUTES, cast.CLOSES, True),
        (cast.CLOSES - 5 * MINUTES, cast.CLOSES, False),
        (cast.CLOSES - 4 * MINUTES, cast.CLOSES + HOUR, False),
        (cast.CLOSES - 6 * MINUTES, cast.CLOSES + HOUR, True),
        (cast.CLOSES - 9 * HOUR, cast.CLOSES - 2 * HOUR + 6 * MINUTES, True),
        (cast.CLOSES - 9 * HOUR, cast.CLOSES - 2 * HOUR + 5 * MINUTES, False),
        (cast.CLOSES + MINUTES, cast.CLOSES + HOUR, False),
    ],
)
def test_the_reveal_waits_a_day_after_more_than_five_minutes_in_the_last_two_hours(began, ended, is_held):
    round_ = cast.a_round()
    assert [held.pk for held in make_up.delay_reveal(began, ended)] == ([round_.pk] if is_held else [])
    round_.refresh_from_db()
    assert round_.reveals_at == cast.CLOSES + (timedelta(hours=24) if is_held else timedelta(0))
    assert visibility.is_revealed(round_, cast.CLOSES) is not is_held
    assert visibility.is_revealed(round_, cast.CLOSES + timedelta(hours=24))


@pytest.fixture
def waiting(db):
    """A round that closed during an outage of half an hour."""
    round_ = cast.a_round()
    outages.record(cast.CLOSES - 30 * MINUTES, cast.CLOSES - 10 * MINUTES)
    outages.record(cast.CLOSES - 30 * MINUTES, cast.CLOSES)
    assert AuditEntry.objects.filter(act="hold reveal").count() == 1
    round_.refresh_from_db()
    return round_


def grant(round_, opens, closes, at=cast.CLOSES + HOUR):
    return make_up.grant_make_up(round_, cast.CLOSES + opens, cast.CLOSES + closes, REASON, at=at, by=None)


def test_a_make_up_window_opens_the_round_once_more(waiting):
    """Rules 3.2, 3.6, 3.10, 7.3, 11.5: nothing is revealed before its end."""
    with clock.set_to(cast.DURING):
        cast.send("B", "rR")
        judging.judge_until_empty()
    round_ = grant(waiting, 2 * HOUR, 3 * HOUR)
    phases = [round_.phase(cast.CLOSES + hours * HOUR) for hours in (1, 2, 3)]
    assert phases == [Phase.CLOSED, Phase.OPEN, Phase.CLOSED]
    for hours, is_public in ((1, False), (2, False), (3, True)):
        at = cast.CLOSES + hours * HOUR
        assert visibility.replays(visibility.Viewer(), round_, at).exists() is is_public
        assert (visibility.lucky_number(round_, at) is not None) is is_public
        assert visibility.may_see_results(round_, at) is is_public
    with clock.set_to(cast.CLOSES + 2 * HOUR):
        assert cast.judged(cast.send("A", "rR")).round == round_
    assert Note.objects.get().kind == "make_up"


@pytest.mark.parametrize(
    ("opens", "closes", "at"),
    [
        (2 * HOUR, 2 * HOUR + 29 * MINUTES, cast.CLOSES + HOUR),
        (30 * MINUTES, 3 * HOUR, cast.CLOSES + HOUR),
        (24 * HOUR, 25 * HOUR, cast.CLOSES + HOUR),
        (26 * HOUR, 27 * HOUR, cast.CLOSES + 25 * HOUR),
        (HOUR, 3 * HOUR, cast.CLOSES - MINUTES),
    ],
    ids=["shorter than the outage", "in the past", "after the wait", "granted after the wait", "before the close"],
)
def test_a_make_up_window_is_as_long_as_the_outage_and_granted_while_the_reveal_waits(waiting, opens, closes, at):
    assert cast.refusal_of(grant, waiting, opens, closes, at)
    assert Round.objects.get().make_up_closes_at is None


def test_a_make_up_window_is_granted_once_and_only_after_an_outage(waiting):
    """Rules 2.6, 3.10: never in parallel with another round."""
    other = cast.a_round(2, opens_at=cast.CLOSES + 2 * HOUR, closes_at=cast.CLOSES + 9 * HOUR)
    assert "Only one round" in cast.refusal_of(grant, waiting, HOUR, 3 * HOUR)
    Round.objects.filter(pk=other.pk).update(cancelled_at=cast.CLOSES)
    grant(waiting, 2 * HOUR, 3 * HOUR)
    assert "once" in cast.refusal_of(grant, waiting, 4 * HOUR, 5 * HOUR)
    Outage.objects.all().delete()
    Round.objects.update(reveal_waits_until=None, make_up_opens_at=None, make_up_closes_at=None)
    assert cast.refusal_of(grant, waiting, 2 * HOUR, 3 * HOUR)


def refusal_at(hours, number):
    with clock.set_to(cast.CLOSES + hours * HOUR):
        return cast.refused(cast.send, "Ann", "rR", round=number).reason


def test_a_submission_before_or_after_a_make_up_window_is_refused_with_its_times(waiting):
    """Rules 3.8, 3.10."""
    assert "2026-11-22 20:00:00" in refusal_at(0, 1)
    grant(waiting, 2 * HOUR, 3 * HOUR)
    cast.a_round(2, opens_at=cast.CLOSES + timedelta(days=7), closes_at=cast.CLOSES + timedelta(days=14))
    for number in (None, 1):
        reason = refusal_at(1, number)
        assert "Round 1 opens" in reason
        assert "2026-11-22 22:00" in reason
    assert "2026-11-22 23:00:00" in refusal_at(3, 1)
