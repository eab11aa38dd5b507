"""A season on one sheet: the rounds of all tracks and the turns of series to come, week by week, and what is wrong.

Pure: `rows` reads the rows that the reader may see.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from contest import rounds
from contest.models import CollectedLevel, Level, LibraryLevel, Round, Series, SeriesRound, Slot, Track
from contest.organising.checklist import draft_messages, opening_messages
from contest.rules.phases import Phase

WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class Plan:
    """The rows of a sheet. Rounds are not cancelled, series run; `levels` by round, `queues` by series and slot."""

    tracks: Sequence[Track] = ()
    rounds: Sequence[Round] = ()
    levels: Mapping[int, Sequence[Level]] = field(default_factory=dict)
    series: Sequence[Series] = ()
    queues: Mapping[int, Mapping[str, Sequence[LibraryLevel]]] = field(default_factory=dict)
    turns: Mapping[tuple[int, int], SeriesRound] = field(default_factory=dict)
    # By the levels' keys, as far as the reader may know: levels of announced and past rounds, and public copies.
    used: Mapping[str, Sequence[Level]] = field(default_factory=dict)
    public: Mapping[str, CollectedLevel] = field(default_factory=dict)
    # The number of the last announced round, by track.
    last_numbers: Mapping[str | None, int] = field(default_factory=dict)
    # Tracks with levels in queues that the reader may see.
    named: Collection[str | None] = ()


@dataclass
class Entry:
    """A round, or a turn of a series that has no round yet."""

    track: str | None
    opens_at: datetime
    closes_at: datetime
    round: Round | None = None
    phase: Phase | None = None
    series: Series | None = None
    number: int = 0
    # The number that the turn's round would get if nothing changed.
    round_number: int = 0
    levels: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if self.series:
            language = "zh" if (get_language() or "").startswith("zh") else "en"
            return self.series.title(self.number, self.round_number, language)
        return str(self.round)

    @property
    def anchor(self) -> str:
        """The name of the entry on its page."""
        return f"r{self.round.pk}" if self.round else f"s{self.series.pk if self.series else ''}-{self.number}"

    @property
    def is_announced(self) -> bool:
        return self.round is not None and self.round.announced_at is not None

    def is_open_within(self, begin: datetime, end: datetime) -> bool:
        if self.round:
            return self.round.is_open_within(begin, end)
        return self.opens_at < end and self.closes_at > begin


@dataclass(frozen=True)
class Cell:
    """A week of a track: the entries that begin in it, those that continue, or none at all."""

    track: Track
    begin: datetime
    beginning: list[Entry]
    continuing: list[Entry]
    is_hole: bool


@dataclass(frozen=True)
class Week:
    begin: datetime
    is_now: bool
    cells: list[Cell]


@dataclass(frozen=True)
class Sheet:
    weeks: list[Week]
    # Those of the shown weeks.
    entries: list[Entry]

    @property
    def is_fine(self) -> bool:
        return not (self.troubles or self.holes)

    @property
    def last_day(self) -> datetime:
        return self.weeks[-1].begin + timedelta(days=6)

    @property
    def troubles(self) -> list[tuple[Entry, Entry, str]]:
        """Return what is wrong; a reason that turns of a series share one after another once, from first to last."""
        found: dict[tuple[int | None, str, int], tuple[Entry, Entry, str]] = {}
        shown = [(entry, text) for entry in self.entries for text in entry.troubles]
        for entry, text in shown:
            series = entry.series.pk if entry.series else None
            before = found.pop((series, text, entry.number - 1), None) if series else None
            key = (series, text, entry.number if entry.round is None else -entry.round.pk)
            found[key] = (before[0] if before else entry, entry, text)
        return sorted(found.values(), key=lambda trouble: trouble[0].opens_at)

    @property
    def holes(self) -> list[tuple[Track, list[tuple[datetime, datetime]]]]:
        """Return for each track its weeks without a round, as first and last week of each gap."""
        gaps: dict[Track, list[tuple[datetime, datetime]]] = {cell.track: [] for cell in self.weeks[0].cells}
        for cell in (cell for week in self.weeks for cell in week.cells if cell.is_hole):
            found = gaps[cell.track]
            if found and cell.begin - found[-1][1] <= WEEK:
                found[-1] = (found[-1][0], cell.begin)
            else:
                found.append((cell.begin, cell.begin))
        return [(track, found) for track, found in gaps.items() if found]


def build(plan: Plan, weeks: Sequence[datetime], at: datetime) -> Sheet:
    """Return the sheet of *weeks*, given by their first moments in the site's time zone, as of *at*."""
    ends = [*weeks[1:], weeks[-1] + WEEK]
    entries = [_round_entry(plan, round_, at) for round_ in plan.rounds]
    entries += [turn for series in plan.series for turn in _turns(plan, series, ends[-1], at)]
    entries.sort(key=lambda entry: entry.opens_at)
    numbers = Counter(plan.last_numbers)
    for entry in entries:
        if entry.series:
            numbers[entry.track] += 1
            entry.round_number = numbers[entry.track]
    for first, second in combinations(entries, 2):
        if first.track == second.track and second.closes_at > at:
            _note_clash(first, second)
            _note_clash(second, first)
    return Sheet(
        [
            Week(begin, begin <= at < end, [_cell(track, entries, begin, end, at) for track in plan.tracks])
            for begin, end in zip(weeks, ends, strict=True)
        ],
        [entry for entry in entries if entry.is_open_within(weeks[0], ends[-1])],
    )


def _cell(track: Track, entries: Sequence[Entry], begin: datetime, end: datetime, at: datetime) -> Cell:
    here = [entry for entry in entries if entry.track == track.slug and entry.is_open_within(begin, end)]
    beginning = [entry for entry in here if entry.opens_at >= begin]
    continuing = [entry for entry in here if entry.opens_at < begin]
    return Cell(track, begin, beginning, continuing, is_hole=not here and end > at)


def _round_entry(plan: Plan, round_: Round, at: datetime) -> Entry:
    entry = Entry(
        round_.track_id, round_.opens_at, round_.make_up_closes_at or round_.closes_at, round_, round_.phase(at)
    )
    levels = plan.levels.get(round_.pk, ())
    entry.levels = [_level_name(level.slot, str(level.title)) for level in levels]
    for level in levels:
        others = [place for place in plan.used.get(level.key, ()) if place.round_id != round_.pk]
        _note_places(entry, level, [*others[:1], *_copies(plan, level)])
    if not rounds.is_announced(round_, at):
        if round_.opens_at < at:
            entry.troubles += opening_messages()
        if not any(level.slot == Slot.MAIN for level in levels):
            entry.troubles += draft_messages()
    return entry


def _turns(plan: Plan, series: Series, until: datetime, at: datetime) -> Iterator[Entry]:
    """Yield the turns without a round, with the levels that each would take if nothing changed (rules 23.1, 23.2)."""
    queues = {slot: deque(levels) for slot, levels in plan.queues.get(series.pk, {}).items()}
    number = series.next_number(at)
    while (opens_at := _opening(series, number)) and opens_at < until:
        turn = plan.turns.get((series.pk, number))
        if not (turn and turn.round_id):
            yield _turn_entry(plan, series, number, turn, opens_at, queues)
        number += 1


def _opening(series: Series, number: int) -> datetime | None:
    try:
        return series.opening(number)
    except OverflowError:  # beyond the calendar
        return None


def _turn_entry(
    plan: Plan,
    series: Series,
    number: int,
    turn: SeriesRound | None,
    opens_at: datetime,
    queues: Mapping[str, deque[LibraryLevel]],
) -> Entry:
    closes_at = opens_at + timedelta(days=series.length_days)
    entry = Entry(series.track_id, opens_at, closes_at, series=series, number=number)
    if series.fault:
        entry.troubles.append(series.fault)
    if turn and turn.held_at:
        entry.troubles.append(_("on hold"))
        return entry
    if any(
        round_.announced_at and round_.track_id == series.track_id and round_.is_open_within(opens_at, closes_at)
        for round_ in plan.rounds
    ):
        return entry  # its levels wait for the next turn; `build` adds the reason
    is_named = series.track_id in plan.named
    for queue in queues.values():
        while queue and (places := plan.used.get(queue[0].key)):
            level = queue.popleft()
            sentence = _("“%(level)s” is left out: it is already in %(place)s, perhaps rotated or mirrored.")
            entry.notes += [sentence % {"level": level, "place": places[0]}] if is_named else []
    if not queues.get(Slot.MAIN):
        entry.troubles.append((turn.trouble if turn else "") or _("The queue of the main level is empty."))
        return entry
    for slot in Slot:
        if waiting := queues.get(slot):
            level = waiting.popleft()
            entry.levels.append(_level_name(slot, str(level) if is_named else ""))
            if is_named:
                _note_places(entry, level, _copies(plan, level))
    return entry


def _level_name(slot: str, name: str) -> str:
    label = str(Slot(slot).label)
    return f"{label} · {name}" if name else label


def _copies(plan: Plan, level: Level | LibraryLevel) -> list[str]:
    """Return the place of the level in a public collection, if any."""
    copy = plan.public.get(level.key)
    return [f"{copy.collection} {copy.place}"] if copy else []


def _note_places(entry: Entry, level: Level | LibraryLevel, places: Sequence[object]) -> None:
    """Note where a level is known from already."""
    name = level.title or f"{level.width} × {level.height}"
    for place in places:
        sentence = _("“%(level)s” is already in %(place)s, perhaps rotated or mirrored.")
        entry.notes.append(sentence % {"level": name, "place": place})


def _note_clash(entry: Entry, other: Entry) -> None:
    """Note that *other* is open at the time of *entry* (rule 2.6), unless *entry* is announced: then it will open."""
    if entry.is_announced or not other.is_open_within(entry.opens_at, entry.closes_at):
        return
    if other.is_announced:
        sentence = _("%(round)s is open at that time. Only one round may be open at a time.")
        entry.troubles.append(sentence % {"round": other})
    else:
        sentence = _("%(other)s is planned for the same time. Only one of them can be announced.")
        entry.troubles.append(sentence % {"other": other})
