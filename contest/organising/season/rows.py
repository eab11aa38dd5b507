"""The rows of a season's sheet (`sheet`): what a member of the staff may see, and may know about the levels."""

from collections import defaultdict
from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max

from contest.infra import identity
from contest.library import standing
from contest.models import MAIN, Level, LibraryLevel, QueuedLevel, Round, Series, SeriesRound, Slot, Track
from contest.organising.season.sheet import Plan
from contest.rounds import tracks
from contest.staff import track_owners


def list_weeks(first: date, count: int) -> list[datetime]:
    """Return the first moments of *count* weeks, from the Monday of the week of *first*, in the site's time zone."""
    monday = first - timedelta(days=first.weekday())
    midnight = datetime.combine(monday, time(), identity.zone())
    return [midnight + timedelta(weeks=week) for week in range(count)]


def read(user: User, begin: datetime, end: datetime, at: datetime) -> Plan:
    """Return the plan for the span. Nine queries at most, however much there is.

    It reaches from now on, so that each turn gets its level, and so far that every round is known that a turn meets.
    """
    series = list(track_owners.filter_rows(user, Series.objects.filter(is_running=True), "view_series"))
    until = end + timedelta(days=max((one.length_days for one in series), default=0))
    seen = track_owners.filter_rows(user, Round.objects.overlapping(min(begin, at), until), "view_round")
    shown = list(seen.order_by("opens_at", "number"))
    coming = {round_.pk for round_ in shown if round_.opens_at > at or round_.announced_at is None}
    levels: dict[int, list[Level]] = defaultdict(list)
    if coming:
        for level in Level.objects.filter(round__in=coming).defer("text", "solution"):
            levels[level.round_id].append(level)
    queues: dict[int, dict[str, list[LibraryLevel]]] = defaultdict(lambda: {slot: [] for slot in Slot.values})
    turns = {}
    if series:
        queued_levels = QueuedLevel.objects.filter(series__in=series).select_related("level")
        for queued in queued_levels.defer("level__text", "level__solution"):
            queues[queued.series_id][queued.slot].append(queued.level)
        numbers = [one.next_number(at) for one in series]
        known = SeriesRound.objects.filter(series__in=series, number__gte=min(numbers))
        turns = {(turn.series_id, turn.number): turn for turn in known}
    # Of a level, whether in a round or in the library, only the key is read.
    waiting: list[Any] = [level for some in levels.values() for level in some]
    waiting += [level for slots in queues.values() for queue in slots.values() for level in queue]
    used = standing.find_used(waiting) if waiting else []
    return Plan(
        tracks=_tracks(user),
        rounds=shown,
        levels=levels,
        series=series,
        queues=queues,
        turns=turns,
        used={
            stand.level.key: places
            for stand in used
            if (places := [place for place in stand.places if tracks.may_know(place.round, user, at)])
        },
        public=standing.find_public(waiting) if waiting else {},
        last_numbers=_last_numbers() if series else {},
        named=[one.track_id for one in series if track_owners.may(user, "change_series", one.track_id)],
    )


def _last_numbers() -> dict[str | None, int]:
    """Return the number of the last announced round of each track; the main one counts the rounds of all."""
    rows = Round.objects.exclude(announced_at=None).order_by().values("track")
    found = list(rows.annotate(last=Max("number"), last_of_track=Max("number_in_track")))
    numbers: dict[str | None, int] = {row["track"]: row["last_of_track"] or 0 for row in found}
    return numbers | {MAIN: max((row["last"] for row in found), default=0)}


def _tracks(user: User) -> list[Track]:
    return list(Track.objects.all() if user.has_perm("contest.view_round") else track_owners.owned_tracks(user))
