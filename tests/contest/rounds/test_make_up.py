from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest

from contest import levels, rounds, visibility
from contest.admin import RoundAdmin
from contest.infra import clock
from contest.models import AuditEntry, Note, Outage, Round
from contest.models.round import RoundQuerySet
from contest.ops import outages
from contest.rounds import lucky_number, make_up
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
        cast.submit("B", "rR")
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


SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


@pytest.fixture
def wait_until(monkeypatch) -> Callable[[datetime], None]:
    """Let the next lock of a round be free only at a time, within a block that has stopped the clock."""

    def wait(at: datetime) -> None:
        original = RoundQuerySet.select_for_update

        def lock(self, **options):
            clock._set_to = at  # the end of the block restores it; monkeypatch would undo it later, to a stopped clock
            return original(self, **options)

        monkeypatch.setattr(RoundQuerySet, "select_for_update", lock)

    return wait


def _put(round_: Round, at: datetime) -> None:
    admitted = levels.check("#######|#@-$-.#|#######", "rRR")
    rounds.put_level(round_, "extra2", admitted, title="New", author="A", at=at, by=None)


def _change(round_: Round, at: datetime) -> None:
    round_.closes_at += DAY
    rounds.save(round_, at=at, by=None)


@pytest.mark.parametrize(
    ("act", "limit"),
    [
        (_put, cast.OPENS),
        (lambda round_, at: rounds.clear_slot(round_, "extra", at=at, by=None), cast.OPENS),
        (lambda round_, at: lucky_number.type_number(round_, 7, at=at, by=None), cast.OPENS),
        (lambda round_, at: rounds.extend(round_, round_.closes_at + DAY, REASON, at=at, by=None), cast.CLOSES),
        (_change, cast.CLOSES),
    ],
    ids=["put", "clear", "lucky", "extend", "change"],
)
def test_nothing_changes_that_has_become_public_meanwhile(act, limit, wait_until):
    round_ = cast.a_round()
    facts = Round.objects.filter(pk=round_.pk).values("commitment", "closes_at", "settings", "levels__sha256")
    before = list(facts)
    with clock.set_to(limit - SECOND):
        wait_until(limit + SECOND)
        cast.refusal_of(act, round_, clock.now())
    assert list(facts) == before


def test_a_round_cancelled_after_its_reveal_keeps_what_was_public(wait_until):
    """Rule 7.10, although the organiser pressed the button before the close."""
    round_ = cast.a_round()
    with clock.set_to(cast.CLOSES - SECOND):
        wait_until(cast.CLOSES + SECOND)
        rounds.cancel(round_, REASON, at=clock.now(), by=None)
        round_.refresh_from_db()
        assert visibility.are_solutions_public(round_, clock.now())


def test_the_plain_admin_saves_no_level_of_a_round_that_has_opened_meanwhile():
    form, levels_ = SimpleNamespace(instance=cast.a_round()), SimpleNamespace(has_changed=lambda: True)
    with clock.set_to(cast.OPENS), pytest.raises(PermissionDenied):
        RoundAdmin(Round, admin.site).save_formset(HttpRequest(), form, levels_, change=True)


def test_no_make_up_window_is_granted_after_the_reveal(wait_until):
    round_ = cast.a_round(reveal_waits_until=cast.CLOSES + DAY)
    with clock.set_to(cast.CLOSES + DAY - SECOND):
        opens_at = clock.now() + SECOND / 2
        wait_until(cast.CLOSES + DAY + SECOND)
        with pytest.raises(ValidationError):
            make_up.grant_make_up(round_, opens_at, opens_at + DAY, REASON, at=clock.now(), by=None)
