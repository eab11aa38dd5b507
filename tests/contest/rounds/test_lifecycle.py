from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from contest import judging, levels, results, visibility
from contest.infra import clock
from contest.models import AuditEntry, LuckyNumber, Note, Round, Submission
from contest.rankings import standings
from contest.rounds import calendar, lifecycle, lucky_number
from contest.rules.phases import Phase
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
BEFORE = cast.OPENS - HOUR


REASON = Reason(zh="原因", en="because")
MINUTES = timedelta(minutes=1)


def test_a_lost_race_for_a_round_is_refused_with_a_message(monkeypatch):
    """Rules 1.1, 2.1, 2.6: on PostgreSQL a constraint backs the check; here the constraint alone refuses."""
    round_ = cast.a_round()
    twin = Round(number=1, opens_at=cast.CLOSES, closes_at=cast.CLOSES + HOUR)
    assert "taken" in cast.refusal_of(lifecycle.save, twin, at=BEFORE, by=None)
    late = Round(number=2, opens_at=cast.OPENS, closes_at=cast.CLOSES, announced_at=BEFORE)
    monkeypatch.setattr(calendar, "_check_overlap", lambda _round: None)
    if connection.vendor == "postgresql":
        assert "Only one round" in cast.refusal_of(lifecycle.save, late, at=BEFORE, by=None)

    def refuse(name):
        raise IntegrityError(f'conflicting key value violates constraint "{name}"')

    assert "Only one round" in cast.refusal_of(lifecycle.store, late, lambda _round: refuse("round_one_open_at_a_time"))
    with pytest.raises(IntegrityError):
        lifecycle.store(round_, lambda _round: refuse("round_closes_after_opening"))


def test_announcing_makes_a_draft_public_with_a_commitment():
    """Rules 2.8, 3.6, 11.1, 11.3: the database refuses an announced round without one."""
    round_ = cast.a_round(announced_at=None)
    announced = lifecycle.announce(round_, at=BEFORE, by=None)
    assert (announced.phase(BEFORE), announced.phase(cast.OPENS)) == (Phase.SCHEDULED, Phase.OPEN)
    assert len(announced.commitment) == 64
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.update(commitment="")
    assert "announced already" in cast.refusal_of(lifecycle.announce, round_, at=BEFORE, by=None)


def test_a_draft_with_a_past_opening_a_duplicate_or_no_main_level_is_not_announced():
    """Rules 2.2, 3.6, 6.8: one text solves one slot, so a second level in any orientation could never be solved."""
    round_ = cast.a_round(announced_at=None)
    mirrored = levels.check("######|#.$-@#|######", "lL", title="Title", author="Author")
    facts = {"title": "Title", "author": "Author", "at": BEFORE, "by": None}
    assert "slot “Main”" in cast.refusal_of(lifecycle.put_level, round_, "extra", mirrored, **facts)
    assert lifecycle.put_level(round_, "main", mirrored, **facts).board == mirrored.board
    assert "future" in cast.refusal_of(lifecycle.announce, round_, at=cast.DURING, by=None)
    cast.a_level(round_, "extra2", "######|#.$-@#|######", "lL")
    assert "slot “Main”" in cast.refusal_of(lifecycle.announce, round_, at=BEFORE, by=None)
    round_.levels.get(slot="main").delete()
    assert "main level" in cast.refusal_of(lifecycle.announce, round_, at=BEFORE, by=None)
    assert Round.objects.get().phase(cast.DURING) == Phase.DRAFT


def test_settings_change_before_the_opening_and_never_after():
    round_ = cast.a_round()
    set_to(round_, lucky=False)
    assert Round.objects.get().settings["lucky"] is False
    round_.settings = {**round_.settings, "lucky": True}
    assert "no longer be changed" in cast.refusal_of(lifecycle.save, round_, at=cast.OPENS, by=None)


def set_to(round_, **values):
    round_.settings = {**round_.settings, **values}
    lifecycle.save(round_, at=BEFORE, by=None)


def test_an_extension_leaves_a_public_note_of_both_times():
    """Rules 2.6, 3.7, 15.3."""
    round_ = cast.a_round()
    cast.a_round(2, opens_at=cast.CLOSES + HOUR, closes_at=cast.CLOSES + 2 * HOUR)
    assert "Only one round" in cast.refusal_of(
        lifecycle.extend, round_, cast.CLOSES + 2 * HOUR, REASON, at=cast.DURING, by=None
    )
    round_ = lifecycle.extend(round_, cast.CLOSES + HOUR, REASON, at=cast.DURING, by=None)
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
    round_ = cast.a_round()
    assert cast.refusal_of(lifecycle.extend, round_, closes_at, REASON, at=at, by=None)
    assert not Note.objects.exists()


def test_submissions_before_a_cancellation_are_judged_and_ranked_without_practice(during_round):
    """Rules 7.10, 20.1: by counts; without points, titles or draw, permanently."""
    cast.send("A", "rR")
    lifecycle.cancel(during_round, REASON, at=cast.DURING, by=None)
    assert "cancelled already" in cast.refusal_of(lifecycle.cancel, during_round, REASON, at=cast.DURING, by=None)
    assert cast.refused(cast.send, "A", "rrR", round=1)
    judging.judge_until_empty()
    main = during_round.levels.get(slot="main")
    assert [(row.player.nickname, row.moves) for row in standings.standings(main, "moves")] == [("A", 2)]
    during_round.refresh_from_db()
    document = results.live(during_round, cast.AFTER)
    assert (document["points"], document["champions"]["moves"], document["draw"]) == ([], None, None)
    assert not visibility.practice_rounds(cast.AFTER).exists()


def test_a_void_level_keeps_its_submissions_and_shows_the_reason(during_round):
    """Rules 2.9, 2.10: before the opening the level can be changed; voiding the last one cancels the round."""
    submission = cast.enter(during_round, "A", 5, 2, slot="extra", at=cast.DURING)
    level = during_round.levels.get(slot="extra")
    assert "Before the opening" in cast.refusal_of(lifecycle.void_slot, level, REASON, at=BEFORE, by=None)
    lifecycle.void_slot(level, REASON, at=cast.DURING, by=None)
    voided = during_round.levels.get(slot="extra")
    assert (voided.voided_at, voided.void_reason_zh, voided.text) == (cast.DURING, "原因", level.text)
    assert voided.board_version > level.board_version
    assert Note.objects.get().values == {"slot": "extra"}
    assert Submission.objects.get(pk=submission.pk).voided_at is None
    assert "void already" in cast.refusal_of(lifecycle.void_slot, level, REASON, at=cast.DURING, by=None)
    lifecycle.void_slot(during_round.levels.get(slot="main"), REASON, at=cast.DURING, by=None)
    during_round.refresh_from_db()
    assert (during_round.phase(cast.DURING), during_round.cancel_reason_en) == (Phase.CANCELLED, "because")


def test_a_final_round_is_not_cancelled_and_keeps_a_level(during_round):
    """Rules 2.10, 14.4."""
    lifecycle.void_slot(during_round.levels.get(slot="extra"), REASON, at=cast.DURING, by=None)
    with clock.set_to(cast.AFTER):
        results.finalise(during_round, at=cast.AFTER, by=None)
    assert "Revise" in cast.refusal_of(lifecycle.cancel, during_round, REASON, at=cast.AFTER + HOUR, by=None)
    main = during_round.levels.get(slot="main")
    assert "must remain" in cast.refusal_of(lifecycle.void_slot, main, REASON, at=cast.AFTER + HOUR, by=None)


def test_a_reason_is_required_in_at_least_a_single_language():
    """Rule 15.1."""
    assert "reason" in cast.refusal_of(Reason, zh=" ", en="")
    assert "500" in cast.refusal_of(Reason, en="x" * 501)
    assert str(Reason(zh="原因", en="because")) == "原因 / because"


def test_an_organiser_may_choose_the_number_until_the_opening():
    """Rules 11.3, 11.13, 14.2: a number that differs from the commitment cannot draw."""
    round_ = cast.a_round()
    before = round_.commitment
    for number in (-1, 2**53):
        assert "whole number" in cast.refusal_of(lucky_number.type_number, round_, number, at=BEFORE, by=None)
    for number in (0, 2**53 - 1):
        lucky_number.type_number(round_, number, at=BEFORE, by=None)
        assert LuckyNumber.objects.get().number == number
    lucky_number.type_number(round_, 17, at=cast.OPENS - MINUTES, by=None)
    round_.refresh_from_db()
    number = LuckyNumber.objects.get()
    assert (number.number, number.is_typed, round_.settings["lucky_source"]) == (17, True, "typed")
    assert round_.commitment != before
    assert lucky_number.missing_for_draw(round_) == []
    assert "can no longer be changed" in cast.refusal_of(lucky_number.type_number, round_, 18, at=cast.OPENS, by=None)
    assert AuditEntry.objects.latest("pk").after == {}
    LuckyNumber.objects.update(number=18)
    assert lucky_number.missing_for_draw(round_) == ["The lucky number does not match its commitment."]


def test_switching_back_to_the_server_draws_a_new_secret_number():
    """Rules 11.3, 11.4, 11.13: a round that announces a chosen number waits for it."""
    round_ = cast.a_round(announced_at=None)
    set_to(round_, lucky_source="typed")
    assert "Enter the lucky number" in cast.refusal_of(lifecycle.announce, round_, at=BEFORE, by=None)
    lucky_number.type_number(round_, 17, at=BEFORE, by=None)
    salt = LuckyNumber.objects.get().salt
    round_.refresh_from_db()
    set_to(round_, lucky_source="server")
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
    assert lucky_number.missing_for_draw(round_) == []
