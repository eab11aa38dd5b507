"""Rounds at regular intervals (rule 23.1), created and announced some days ahead from the heads of the queues.

Opening a round needs no job (rule 3.6). The job may run late, twice, or concurrently: a turn's round is made once.
"""

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from contest import rounds
from contest.library import series_letters, shelf, standing
from contest.models import MAIN, QueuedLevel, Round, Series, SeriesRound, Slot
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.wording import times

log = logging.getLogger(__name__)

# Messages about a problem, by language code.
Troubles = dict[str, str]
LATE = timedelta(hours=1)  # each series is processed every minute
SHORT = 3  # rounds: organisers see a warning on the desk if fewer levels wait


def advance(at: datetime) -> list[Round]:
    """Make and announce the due rounds of all running series; return them. A failing series stops no other."""
    created = [_advance_alone(series, at) for series in Series.objects.filter(is_running=True)]
    return [round_ for round_ in created if round_]


def _advance_alone(series: Series, at: datetime) -> Round | None:
    """Advance one series; record an unexpected error for the desk."""
    try:
        round_ = _advance(series, at)
    except Exception as error:  # or else the other series and all other periodic tasks would stop
        log.exception("Series %s cannot be advanced.", series.pk)
        Series.objects.filter(pk=series.pk).update(fault=f"{type(error).__name__}: {error}"[:200])
        return None
    Series.objects.filter(pk=series.pk).update(advanced_at=at, fault="")
    return round_


def _advance(series: Series, at: datetime) -> Round | None:
    number = series.next_number(at)
    opens_at = series.opening(number)
    if opens_at - timedelta(days=series.days_ahead) > at:
        return None
    turn = SeriesRound.objects.filter(series=series, number=number).first()
    if turn and (turn.round_id or turn.held_at):
        return None
    troubles = {}
    for language, _name in settings.LANGUAGES:
        # A refusal has a message in one language, so the attempt is repeated in each and fails for the same reason.
        with override(language):
            try:
                return _make(series, number, opens_at, at)
            except ValidationError as error:
                troubles[language] = " ".join(error.messages)
    _report_trouble(series, number, opens_at, troubles, at)
    return None


def _make(series: Series, number: int, opens_at: datetime, at: datetime) -> Round | None:
    """Make the round of one turn from the heads of all queues, or nothing.

    Levels used in announced or past rounds are removed first (rule 23.2), even if making the round then fails.
    """
    with transaction.atomic():
        rounds.lock_calendar()
        series = Series.objects.select_for_update().get(pk=series.pk)
        turn, _is_new = SeriesRound.objects.get_or_create(series=series, number=number)
        if turn.round_id or turn.held_at or not series.is_running:
            return None
        left, is_all = standing.remove_used(series, at)
        if left:
            transaction.on_commit(lambda: series_letters.mail_left_out(series, opens_at, left, at))
        try:
            if not is_all:
                message = _("Levels of other rounds were looked up too often today; the series continues tomorrow.")
                raise ValidationError(message)
            return _announce(
                series, turn, opens_at, at, standing.in_each_language(lambda: standing.refusal_message(left, None, at))
            )
        except ValidationError as error:
            refused = error
    raise refused


@transaction.atomic
def _announce(series: Series, turn: SeriesRound, opens_at: datetime, at: datetime, left_out: Troubles) -> Round:
    heads = _heads(series)
    if Slot.MAIN not in heads:
        raise ValidationError(_("The queue of the main level is empty."))
    number = _next_number(series)
    round_ = Round(
        number=rounds.suggest_round(at)["number"],
        track_id=series.track_id,
        title_zh=series.title(turn.number, number, "zh"),
        title_en=series.title(turn.number, number, "en"),
        prizes_zh=series.prizes_zh,
        prizes_en=series.prizes_en,
        opens_at=opens_at,
        closes_at=opens_at + timedelta(days=series.length_days),
        settings=series.settings,
    )
    rounds.save(round_, at=at, by=None)
    for slot, queued in heads.items():
        shelf.use_level(queued.level, round_, slot, at=at, by=None)
    round_ = rounds.announce(round_, at=at, by=None)
    if (given := round_.number_in_track or round_.number) != number:
        titles = {f"title_{language}": series.title(turn.number, given, language) for language in ("zh", "en")}
        Round.objects.filter(pk=round_.pk).update(**titles)
    turn.round, turn.troubles = round_, left_out
    turn.save(update_fields=["round", "troubles"])
    if (left := count_waiting(series)) < SHORT:
        transaction.on_commit(lambda: series_letters.mail_short_queue(series, left))
    return round_


def _next_number(series: Series) -> int:
    """Return the number that the next announced round of the series' track gets (rule 2.1)."""
    if series.track_id == MAIN:
        last = Round.objects.exclude(announced_at=None).aggregate(last=Max("number"))["last"]
    else:
        last = Round.objects.filter(track=series.track_id).aggregate(last=Max("number_in_track"))["last"]
    return (last or 0) + 1


def _heads(series: Series) -> dict[str, QueuedLevel]:
    """Return the first level of each slot's queue."""
    heads: dict[str, QueuedLevel] = {}
    for queued in series.queue.select_related("level"):
        heads.setdefault(queued.slot, queued)
    return heads


@transaction.atomic
def hold_turn(series: Series, number: int, *, at: datetime, by: Actor) -> None:
    """Hold a turn, so that it gets no round until released; its levels keep waiting, later turns keep their times."""
    turn = _turn(series, number)
    SeriesRound.objects.filter(pk=turn.pk).update(held_at=at)
    audit_log.record(by, "hold turn", series, after={"turn": number})


@transaction.atomic
def release_turn(series: Series, number: int, *, by: Actor) -> None:
    """Release a held turn; its round is created unless its opening has passed."""
    turn = _turn(series, number)
    SeriesRound.objects.filter(pk=turn.pk).update(held_at=None)
    audit_log.record(by, "let turn go", series, after={"turn": number})


def _turn(series: Series, number: int) -> SeriesRound:
    """Lock a turn without a round, and its series; return the turn."""
    series = Series.objects.select_for_update().get(pk=series.pk)
    turn, _is_new = SeriesRound.objects.get_or_create(series=series, number=number)
    if turn.round_id:
        raise ValidationError(_("This round has already been created."))
    return turn


@transaction.atomic
def _report_trouble(series: Series, number: int, opens_at: datetime, troubles: Troubles, at: datetime) -> None:
    """Record for the desk why a turn has no round, and email the organisers once."""
    Series.objects.select_for_update().get(pk=series.pk)
    turn, _is_new = SeriesRound.objects.get_or_create(series=series, number=number)
    SeriesRound.objects.filter(pk=turn.pk).update(troubles=troubles)
    if turn.told_at is None and turn.round_id is None:
        SeriesRound.objects.filter(pk=turn.pk).update(told_at=at)
        transaction.on_commit(lambda: series_letters.mail_missing_round(series, number, opens_at, troubles))


def count_waiting(series: Series, slot: str = Slot.MAIN) -> int:
    """Return the number of levels in a slot's queue."""
    return series.queue.filter(slot=slot).count()


@dataclass(frozen=True)
class Opening:
    """A future opening of a series, and the announced round of its track that overlaps it (rule 2.6)."""

    opens_at: datetime
    clash: Round | None


def next_openings(series: Series, at: datetime, count: int = 1) -> list[Opening]:
    """Return the next openings after *at* with overlapping rounds; one query for any number."""
    return next_openings_of([series], at, count)[series.pk]


def next_openings_of(several: Sequence[Series], at: datetime, count: int = 1) -> dict[int, list[Opening]]:
    """Return the next openings of each series, by its key; one query for all."""
    times = {series.pk: _next_times(series, at, count) for series in several}
    ends = [opens_at + timedelta(days=one.length_days) for one in several for opens_at in times[one.pk]]
    overlapping: list[Round] = []
    if ends:
        begin = min(opens_at for of_series in times.values() for opens_at in of_series)
        others = Round.objects.overlapping(begin, max(ends)).filter(track__in={one.track_id for one in several})
        overlapping = list(others.exclude(announced_at=None).annotate(of=F("turn__series")).order_by("opens_at"))
    return {one.pk: [_opening(one, opens_at, overlapping) for opens_at in times[one.pk]] for one in several}


def _next_times(series: Series, at: datetime, count: int) -> list[datetime]:
    try:
        return [series.opening(series.next_number(at) + later) for later in range(count)]
    except OverflowError:  # a year beyond the calendar; reported as a problem of the series
        return []


def _opening(series: Series, opens_at: datetime, overlapping: Iterable[Round]) -> Opening:
    closes_at = opens_at + timedelta(days=series.length_days)
    others = (one for one in overlapping if one.track_id == series.track_id and vars(one)["of"] != series.pk)
    return Opening(opens_at, next((other for other in others if other.is_open_within(opens_at, closes_at)), None))


@dataclass(frozen=True)
class Upcoming:
    """The next round of a series as it would be made now; `levels` by slot."""

    number: int
    title_zh: str
    title_en: str
    opens_at: datetime
    closes_at: datetime
    announced_at: datetime
    levels: list[QueuedLevel]
    held_at: datetime | None

    @property
    def has_main(self) -> bool:
        return any(queued.slot == Slot.MAIN for queued in self.levels)


def upcoming(
    series: Series, turns: Iterable[SeriesRound], queues: Mapping[str, Sequence[QueuedLevel]], at: datetime
) -> Upcoming | None:
    """Return the next round, from the newest *turns* of the series and its *queues*; None beyond the calendar."""
    known = {turn.number: turn for turn in turns}
    number = series.next_number(at)
    while number in known and known[number].round_id:
        number += 1
    try:
        opens_at = series.opening(number)
    except OverflowError:
        return None
    next_ = _next_number(series)
    return Upcoming(
        number,
        series.title(number, next_, "zh"),
        series.title(number, next_, "en"),
        opens_at,
        opens_at + timedelta(days=series.length_days),
        opens_at - timedelta(days=series.days_ahead),
        [queues[slot][0] for slot in Slot if queues.get(slot)],
        known[number].held_at if number in known else None,
    )


def version_stamp(series: Series) -> str:
    """Return a version stamp of a series' settings, for concurrent edits by several organisers."""
    return hashlib.sha256(json.dumps(facts(series), sort_keys=True).encode()).hexdigest()[:32]


def facts(series: Series) -> dict[str, Any]:
    """Return the settings of a series for the audit log."""
    names = (
        "name_zh", "name_en", "track_id", "every_weeks", "length_days", "days_ahead", "title_zh", "title_en",
        "prizes_zh", "prizes_en", "settings", "final_after_days", "is_running",
    )  # fmt: skip
    first = series.first_opens_at.astimezone(UTC).isoformat()  # as stored, whatever a form returned
    return {**{name: getattr(series, name) for name in names}, "first_opens_at": first}


def _stop_message(series: Series, at: datetime) -> str:
    """Return why the job makes no rounds for a series, whatever its queue holds; empty if it does."""
    if series.fault:
        return _("%(series)s has stopped: %(fault)s. Check its times. The other series continue.") % {
            "series": series,
            "fault": series.fault,
        }
    if series.advanced_at and at - series.advanced_at > LATE:
        seen = times.format_minute(series.advanced_at)
        return _("%(series)s was last processed at %(seen)s. Check that a worker is running.") % {
            "series": series,
            "seen": seen,
        }
    return ""


def list_troubles(at: datetime, among: QuerySet[Series] | None = None) -> list[str]:
    """Return the notices on running series, or on those *among* some, for organisers.

    A notice names a turn without a round, levels that were left out, or a queue that runs short. One query for any
    number of series, two if a turn has trouble.
    """
    is_coming = Q(round=None) | Q(round__opens_at__gt=at)
    stuck = SeriesRound.objects.filter(is_coming).exclude(troubles={}, held_at=None)
    running = list(
        (Series.objects.all() if among is None else among)
        .filter(is_running=True)
        .annotate(
            main_levels=Count("queue", filter=Q(queue__slot=Slot.MAIN), distinct=True),
            is_stuck=Exists(stuck.filter(series=OuterRef("pk")).order_by()),
        )
    )
    late = [series for series in running if series.is_stuck]
    turns = {(turn.series_id, turn.number): turn for turn in stuck.filter(series__in=late)} if late else {}
    messages = []
    for series in running:
        if stop := _stop_message(series, at):
            messages.append(stop)
            continue
        number = series.next_number(at)
        missed, turn = turns.get((series.pk, number - 1)), turns.get((series.pk, number))
        if missed and not (missed.held_at or missed.round_id):
            text = _(
                "%(series)s left out its round of %(opens)s: %(trouble)s It is not created later. You can create a "
                "round yourself; the series continues on %(next)s."
            )
            opens, next_ = (times.format_minute(series.opening(turn)) for turn in (number - 1, number))
            messages.append(text % {"series": series, "opens": opens, "trouble": missed.trouble, "next": next_})
        if turn and turn.held_at:
            if series.opening(turn.number) - timedelta(days=series.days_ahead) <= at:
                opens = times.format_minute(series.opening(turn.number))
                messages.append(
                    _("The round of %(series)s for %(opens)s is on hold.") % {"series": series, "opens": opens}
                )
        elif turn and not turn.round_id:
            opens = times.format_minute(series.opening(turn.number))
            text = _("%(series)s has no round for %(opens)s: %(trouble)s Once fixed, it is created within a minute.")
            messages.append(text % {"series": series, "opens": opens, "trouble": turn.trouble})
        else:
            if turn:
                opens = times.format_minute(series.opening(turn.number))
                values = {"series": series, "opens": opens, "trouble": turn.trouble}
                messages.append(_("The round of %(series)s for %(opens)s: %(trouble)s") % values)
            if series.main_levels < SHORT:
                messages.append(series_letters.shortage_message(series, series.main_levels))
    return messages
