from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from contest import judging, levels, results, visibility
from contest.infra import clock
from contest.models import AuditEntry, LuckyNumber, Note, Outage, Round, Submission
from contest.ops import outages
from contest.rounds import lifecycle, lucky_number
from contest.rules.phases import Phase
from contest.submissions import Refused, acceptance
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db


HOUR = timedelta(hours=1)
BEFORE = cast.OPENS - HOUR


def refused(round_, at):
    with pytest.raises(ValidationError) as refusal:
        lifecycle.check_times(round_, at)
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
    lifecycle.check_times(another(cast.OPENS, cast.CLOSES, **fields), BEFORE)


def test_a_round_may_open_when_the_last_one_closes():
    """Rules 2.6, 3.2."""
    cast.a_round()
    lifecycle.check_times(another(cast.CLOSES, cast.CLOSES + HOUR), BEFORE)


@pytest.mark.parametrize("field", ["opens_at", "closes_at"])
def test_times_may_change_before_the_opening(field):
    """Rule 3.7."""
    round_ = cast.a_round()
    setattr(round_, field, getattr(round_, field) + HOUR)
    lifecycle.check_times(round_, BEFORE)


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
    lifecycle.check_times(round_, cast.DURING)
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
    suggested = lifecycle.suggestion(cast.DURING)
    assert suggested["number"] == 1
    assert suggested["closes_at"] - suggested["opens_at"] == timedelta(weeks=3)
    assert suggested["opens_at"].strftime("%H:%M %Z") == "20:00 CST"


def test_the_next_suggestion_follows_the_last_round():
    """Rules 2.1, 2.5."""
    cast.a_round(6)
    suggested = lifecycle.suggestion(cast.DURING)
    assert suggested["number"] == 7
    assert suggested["opens_at"] > cast.CLOSES


def test_a_suggestion_looks_at_announced_rounds():
    """A draft with a digit too many in its year moves nothing."""
    cast.a_round(6)
    far = datetime(9999, 12, 1, tzinfo=UTC)
    Round.objects.create(number=7, opens_at=far, closes_at=far + timedelta(days=1))
    suggested = lifecycle.suggestion(cast.DURING)
    assert (suggested["number"], suggested["opens_at"].year) == (8, cast.CLOSES.year)


@pytest.mark.parametrize("year", [1, 1979, 2100, 9999])
def test_a_year_that_nobody_can_have_meant_is_refused(year):
    at = datetime(year, 6, 1, tzinfo=UTC)
    with pytest.raises(ValidationError) as refusal:
        lifecycle.save(Round(number=1, opens_at=at, closes_at=at + timedelta(days=1)), at=BEFORE, by=None)
    assert set(refusal.value.message_dict) == {"opens_at", "closes_at"}


# The acts


REASON = Reason(zh="原因", en="because")
MINUTES = timedelta(minutes=1)


def said(act, *given, **named):
    with pytest.raises(ValidationError) as refusal:
        act(*given, **named)
    return " ".join(refusal.value.messages)


def test_a_number_is_never_used_twice():
    """Rules 1.1, 2.1: what the database refuses is said in words."""
    cast.a_round()
    twin = Round(number=1, opens_at=cast.CLOSES, closes_at=cast.CLOSES + HOUR)
    assert "taken" in said(lifecycle.save, twin, at=BEFORE, by=None)


def test_two_organisers_who_announce_at_once_are_told_in_words(monkeypatch):
    """Rule 2.6: on PostgreSQL the constraint stands behind the check; here it answers alone."""
    cast.a_round()
    late = another(cast.OPENS, cast.CLOSES)
    monkeypatch.setattr(lifecycle, "_check_overlap", lambda _round: None)
    if connection.vendor == "postgresql":
        assert "Only one round" in said(lifecycle.save, late, at=BEFORE, by=None)
        return

    def refuse(_round):
        raise IntegrityError('conflicting key value violates exclusion constraint "round_one_open_at_a_time"')

    assert "Only one round" in said(lifecycle._save, late, refuse)


def test_another_fault_of_the_database_is_not_explained_away():
    def refuse(_round):
        raise IntegrityError("round_closes_after_opening")

    with pytest.raises(IntegrityError):
        lifecycle._save(cast.a_round(), refuse)


def test_announcing_makes_a_draft_public_with_a_commitment():
    """Rules 2.8, 3.6, 11.3."""
    round_ = cast.a_round(announced_at=None)
    announced = lifecycle.announce(round_, at=BEFORE, by=None)
    assert (announced.phase(BEFORE), announced.phase(cast.OPENS)) == (Phase.SCHEDULED, Phase.OPEN)
    assert len(announced.commitment) == 64
    assert "announced already" in said(lifecycle.announce, round_, at=BEFORE, by=None)


def test_a_round_without_a_main_level_is_not_announced():
    """Rule 2.2."""
    round_ = cast.a_round(announced_at=None)
    round_.levels.get(slot="main").delete()
    assert "main level" in said(lifecycle.announce, round_, at=BEFORE, by=None)


def test_a_level_is_put_into_no_second_slot_of_its_round_however_turned():
    """Rule 6.8: one text solves one slot, so nobody could ever solve the second."""
    round_ = cast.a_round(announced_at=None)
    mirrored = levels.check("######|#.$-@#|######", "lL", title="Title", author="Author")
    facts = {"title": "Title", "author": "Author", "at": BEFORE, "by": None}
    assert "slot “Main”" in said(lifecycle.put_level, round_, "extra", mirrored, **facts)
    assert lifecycle.put_level(round_, "main", mirrored, **facts).board == mirrored.board


def test_a_round_with_one_level_twice_is_not_announced():
    round_ = cast.a_round(announced_at=None)
    cast.a_level(round_, "extra2", "######|#.$-@#|######", "lL")
    assert "slot “Main”" in said(lifecycle.announce, round_, at=BEFORE, by=None)


def test_a_draft_whose_opening_has_passed_is_not_announced():
    """Rule 3.6."""
    round_ = cast.a_round(announced_at=None)
    assert "future" in said(lifecycle.announce, round_, at=cast.DURING, by=None)
    assert Round.objects.get().phase(cast.DURING) == Phase.DRAFT


def test_settings_change_before_the_opening_and_never_after():
    """Rules 2.9, 17."""
    round_ = cast.a_round()
    changed = lifecycle.change_settings(round_, {"lucky": False}, at=BEFORE, by=None)
    assert changed.settings["lucky"] is False
    assert "no longer be changed" in said(lifecycle.change_settings, round_, {"lucky": True}, at=cast.OPENS, by=None)
    assert "no setting" in said(lifecycle.change_settings, round_, {"luck": True}, at=BEFORE, by=None)


def test_an_extension_leaves_a_public_note_of_both_times():
    """Rules 3.7, 15.3."""
    round_ = lifecycle.extend(cast.a_round(), cast.CLOSES + HOUR, REASON, at=cast.DURING, by=None)
    note = Note.objects.get()
    assert (round_.closes_at, note.kind, note.text_zh) == (cast.CLOSES + HOUR, "extended", "原因")
    assert note.values == {"before": cast.CLOSES.isoformat(), "after": (cast.CLOSES + HOUR).isoformat()}
    assert AuditEntry.objects.get().act == "extend"
    assert round_.phase(cast.CLOSES) == Phase.OPEN


@pytest.mark.parametrize(
    ("closes_at", "at"),
    [
        (cast.CLOSES + HOUR, BEFORE),
        (cast.CLOSES + HOUR, cast.CLOSES),
        (cast.CLOSES, cast.DURING),
        (cast.CLOSES - HOUR, cast.DURING),
    ],
)
def test_only_an_open_round_is_extended_and_only_to_a_later_close(closes_at, at):
    """Rule 3.7."""
    round_ = cast.a_round()
    assert said(lifecycle.extend, round_, closes_at, REASON, at=at, by=None)
    assert not Note.objects.exists()


def test_an_extension_does_not_reach_into_the_next_round():
    """Rule 2.6."""
    round_ = cast.a_round()
    cast.a_round(2, opens_at=cast.CLOSES + HOUR, closes_at=cast.CLOSES + 2 * HOUR)
    assert "Only one round" in said(lifecycle.extend, round_, cast.CLOSES + 2 * HOUR, REASON, at=cast.DURING, by=None)


def test_a_cancelled_round_says_why_and_takes_nothing_more(during_round):
    """Rules 3.6, 7.10."""
    round_ = lifecycle.cancel(during_round, REASON, at=cast.DURING, by=None)
    assert (round_.phase(cast.DURING), round_.cancel_reason_en) == (Phase.CANCELLED, "because")
    with pytest.raises(Refused):
        cast.send("A", "rR", round=1)
    assert "cancelled already" in said(lifecycle.cancel, round_, REASON, at=cast.DURING, by=None)


def test_a_final_round_is_not_cancelled(during_round):
    """Rule 14.4."""
    with clock.set_to(cast.AFTER):
        results.finalise(during_round, at=cast.AFTER, by=None)
    assert "revision" in said(lifecycle.cancel, during_round, REASON, at=cast.AFTER + HOUR, by=None)


def test_a_void_level_keeps_what_was_sent_and_says_why(during_round):
    """Rule 2.10."""
    submission = cast.enter(during_round, "A", 5, 2, slot="extra", at=cast.DURING)
    level = during_round.levels.get(slot="extra")
    lifecycle.void_slot(level, REASON, at=cast.DURING, by=None)
    voided = during_round.levels.get(slot="extra")
    assert (voided.voided_at, voided.void_reason_zh, voided.text) == (cast.DURING, "原因", level.text)
    assert voided.board_version > level.board_version
    assert Note.objects.get().values == {"slot": "extra"}
    assert Submission.objects.get(pk=submission.pk).voided_at is None
    assert "void already" in said(lifecycle.void_slot, level, REASON, at=cast.DURING, by=None)


def test_a_round_whose_every_level_is_void_is_cancelled(during_round):
    """Rule 2.10."""
    for slot in ("main", "extra"):
        lifecycle.void_slot(during_round.levels.get(slot=slot), REASON, at=cast.DURING, by=None)
    during_round.refresh_from_db()
    assert during_round.phase(cast.DURING) == Phase.CANCELLED
    assert during_round.cancel_reason_en == "because"


def test_a_level_is_void_only_after_the_opening():
    """Rules 2.9, 2.10: before it, it may simply be changed."""
    level = cast.a_round().levels.get(slot="main")
    assert "Before the opening" in said(lifecycle.void_slot, level, REASON, at=BEFORE, by=None)


def test_a_final_round_keeps_a_level(during_round):
    """Rules 2.10, 14.4."""
    lifecycle.void_slot(during_round.levels.get(slot="extra"), REASON, at=cast.DURING, by=None)
    with clock.set_to(cast.AFTER):
        results.finalise(during_round, at=cast.AFTER, by=None)
    main = during_round.levels.get(slot="main")
    assert "must stay" in said(lifecycle.void_slot, main, REASON, at=cast.AFTER + HOUR, by=None)


def test_a_reason_is_needed_in_one_language_at_least():
    """Rule 15.1."""
    assert "reason" in said(Reason, zh=" ", en="")
    assert "500" in said(Reason, en="x" * 501)
    assert str(Reason(zh="原因", en="because")) == "原因 / because"


# The lucky number before the opening


def test_every_round_has_a_commitment_before_it_opens():
    """Rules 11.1, 11.3: the database refuses an announced round without one."""
    cast.a_round()
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.update(commitment="")


def test_an_organiser_may_choose_the_number_until_the_opening():
    """Rules 11.3, 11.13."""
    round_ = cast.a_round()
    before = round_.commitment
    lucky_number.type_number(round_, 17, at=cast.OPENS - MINUTES, by=None)
    round_.refresh_from_db()
    number = LuckyNumber.objects.get()
    assert (number.number, number.is_typed, round_.settings["lucky_source"]) == (17, True, "typed")
    assert round_.commitment != before
    assert lucky_number.is_as_committed(round_)
    assert "stays" in said(lucky_number.type_number, round_, 18, at=cast.OPENS, by=None)
    assert AuditEntry.objects.get().after == {}


@pytest.mark.parametrize("number", [-1, 2**53])
def test_a_chosen_number_has_its_bounds(number):
    """Rule 11.3."""
    assert "whole number" in said(lucky_number.type_number, cast.a_round(), number, at=BEFORE, by=None)


@pytest.mark.parametrize("number", [0, 2**53 - 1])
def test_the_smallest_and_the_largest_number_may_be_chosen(number):
    """Rule 11.3."""
    round_ = cast.a_round()
    lucky_number.type_number(round_, number, at=BEFORE, by=None)
    assert LuckyNumber.objects.get().number == number


def test_a_round_that_says_its_number_was_chosen_waits_for_it():
    """Rules 11.3, 11.13."""
    round_ = cast.a_round(announced_at=None)
    lifecycle.change_settings(round_, {"lucky_source": "typed"}, at=BEFORE, by=None)
    assert "Type the lucky number" in said(lifecycle.announce, round_, at=BEFORE, by=None)
    lucky_number.type_number(round_, 17, at=BEFORE, by=None)
    assert lifecycle.announce(round_, at=BEFORE, by=None).announced_at == BEFORE


def test_going_back_to_the_server_draws_a_number_nobody_knows():
    """Rules 11.3, 11.4."""
    round_ = cast.a_round(announced_at=None)
    lucky_number.type_number(round_, 17, at=BEFORE, by=None)
    salt = LuckyNumber.objects.get().salt
    lifecycle.change_settings(round_, {"lucky_source": "server"}, at=BEFORE, by=None)
    number = LuckyNumber.objects.get()
    assert (number.is_typed, number.salt != salt) == (False, True)


def test_a_draft_that_changes_its_number_keeps_the_chosen_lucky_number():
    """Rule 11.2: the commitment names the round's number."""
    round_ = cast.a_round(announced_at=None)
    lucky_number.type_number(round_, 17, at=BEFORE, by=None)
    round_.refresh_from_db()
    round_.number = 2
    lifecycle.save(round_, at=BEFORE, by=None)
    assert LuckyNumber.objects.get().number == 17
    assert lucky_number.is_as_committed(round_)


def test_the_commitment_never_changes_once_public():
    """Rule 11.2."""
    round_ = cast.a_round()
    before = round_.commitment
    lifecycle.extend(round_, cast.CLOSES + HOUR, REASON, at=cast.DURING, by=None)
    lifecycle.cancel(round_, REASON, at=cast.DURING, by=None)
    assert Round.objects.get().commitment == before


# Outages


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
    """Rule 3.10."""
    round_ = cast.a_round()
    assert [held.pk for held in lifecycle.hold_reveal(began, ended)] == ([round_.pk] if is_held else [])
    round_.refresh_from_db()
    assert round_.reveals_at == cast.CLOSES + (timedelta(hours=24) if is_held else timedelta(0))
    assert visibility.is_revealed(round_, cast.CLOSES) is not is_held
    assert visibility.is_revealed(round_, cast.CLOSES + timedelta(hours=24))


def test_the_sites_own_record_of_an_outage_holds_the_reveal():
    """Rule 3.10."""
    cast.a_round()
    outages.record(cast.CLOSES - HOUR, cast.CLOSES - 30 * MINUTES)
    outages.record(cast.CLOSES - HOUR, cast.CLOSES - 20 * MINUTES)
    assert Round.objects.get().reveal_waits_until == cast.CLOSES + timedelta(hours=24)
    assert AuditEntry.objects.filter(act="hold reveal").count() == 1


@pytest.fixture
def waiting(db):
    """A round that closed on an outage of half an hour."""
    round_ = cast.a_round()
    outages.record(cast.CLOSES - 30 * MINUTES, cast.CLOSES)
    round_.refresh_from_db()
    return round_


def grant(round_, opens, closes, at=cast.CLOSES + HOUR):
    return lifecycle.grant_make_up(round_, cast.CLOSES + opens, cast.CLOSES + closes, REASON, at=at, by=None)


def test_a_make_up_window_opens_the_round_once_more(waiting):
    """Rules 3.2, 3.6, 3.10."""
    round_ = grant(waiting, 2 * HOUR, 3 * HOUR)
    phases = [round_.phase(cast.CLOSES + hours * HOUR) for hours in (1, 2, 3)]
    assert phases == [Phase.CLOSED, Phase.OPEN, Phase.CLOSED]
    assert round_.reveals_at == cast.CLOSES + 3 * HOUR
    with clock.set_to(cast.CLOSES + 2 * HOUR):
        assert cast.judged(cast.send("A", "rR")).round == round_
    with clock.set_to(cast.CLOSES + HOUR), pytest.raises(Refused):
        cast.send("A", "rrR")
    assert Note.objects.get().kind == "make_up"


@pytest.mark.parametrize("number", [None, 1])
def test_who_comes_between_the_close_and_a_make_up_window_is_told_of_it(waiting, number):
    """Rules 3.8, 3.10."""
    grant(waiting, 2 * HOUR, 3 * HOUR)
    cast.a_round(2, opens_at=cast.CLOSES + timedelta(days=7), closes_at=cast.CLOSES + timedelta(days=14))
    with clock.set_to(cast.CLOSES + HOUR), pytest.raises(Refused) as refused:
        cast.send("Ann", "rR", round=number)
    opens_at = timezone.localtime(Round.objects.get(number=1).make_up_opens_at)
    assert "Round 1 opens" in refused.value.reason
    assert opens_at.strftime("%Y-%m-%d %H:%M") in refused.value.reason


def test_nothing_is_revealed_in_a_make_up_window(waiting):
    """Rules 3.10, 7.3, 11.5."""
    with clock.set_to(cast.DURING):
        receipt = cast.send("A", "rR")
        judging.judge_until_empty()
    submission = cast.judged(receipt)
    round_ = grant(waiting, 2 * HOUR, 3 * HOUR)
    submission.round = round_
    for hours, is_public in ((1, False), (2, False), (3, True)):
        at = cast.CLOSES + hours * HOUR
        assert visibility.may_see_solution(visibility.Viewer(), submission, at) is is_public
        assert (visibility.lucky_number(round_, at) is not None) is is_public
        assert visibility.may_see_results(round_, at) is is_public


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
    """Rule 3.10."""
    assert said(grant, waiting, opens, closes, at)
    assert Round.objects.get().make_up_closes_at is None


def test_a_make_up_window_is_granted_once_and_only_after_an_outage(waiting):
    """Rule 3.10."""
    grant(waiting, 2 * HOUR, 3 * HOUR)
    assert "once" in said(grant, waiting, 4 * HOUR, 5 * HOUR)
    Outage.objects.all().delete()
    Round.objects.update(reveal_waits_until=None, make_up_opens_at=None, make_up_closes_at=None)
    assert said(grant, waiting, 2 * HOUR, 3 * HOUR)


def test_a_make_up_window_and_another_round_are_never_open_together(waiting):
    """Rules 2.6, 3.10."""
    cast.a_round(2, opens_at=cast.CLOSES + 2 * HOUR, closes_at=cast.CLOSES + 9 * HOUR)
    assert "Only one round" in said(grant, waiting, HOUR, 3 * HOUR)
    grant(waiting, HOUR, 2 * HOUR)


def test_between_close_and_window_the_refusal_names_the_limit_missed(waiting):
    """Rules 3.8, 3.10."""
    with clock.set_to(cast.CLOSES), pytest.raises(Refused) as refusal:
        acceptance.accept(acceptance.Entry("A", "rR", round=1), door=acceptance.Door.API)
    assert "2026-11-22 20:00:00" in refusal.value.reason


def test_after_the_window_its_end_is_the_limit_missed(waiting):
    """Rules 3.8, 3.10."""
    grant(waiting, 2 * HOUR, 3 * HOUR)
    with clock.set_to(cast.CLOSES + 3 * HOUR), pytest.raises(Refused) as refusal:
        cast.send("A", "rR", round=1)
    assert "2026-11-22 23:00:00" in refusal.value.reason
