"""Read old rounds from tables: rounds.csv, level files and results.csv beside it (docs/reference/archive.md).

All faults are collected, with file, row and column, before the import is refused.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contest import players
from contest.archive import format as archived
from contest.archive.imports import tables
from contest.archive.imports.incoming import Incoming, NotImported, nul_error, read_error, size_error
from contest.archive.imports.tables import Row, Table
from contest.levels import pasted
from contest.models import League, Slot, Verdict
from contest.rules import canonical
from contest.rules.settings import RoundSettings
from contest.wording.verdicts import describe_counts, describe_error
from solvers import sokoban
from solvers.errors import PuzzleError
from solvers.sokoban.formats import Entry, read_collection
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay

MAX_TABLE_BYTES = 2**28  # bytes of a table

Boards = Mapping[str, sokoban.Level]


@dataclass(frozen=True)
class Result:
    """A row of results, with its table."""

    submission: archived.Submission
    nickname: str
    country: str
    table: Table

    @property
    def key(self) -> tuple[str, int]:
        """The order of results: by time, then by row."""
        return self.submission.received_at, self.submission.number


@dataclass
class Tables:
    """Contents of tables: rounds by number, results by round; and the faults. Other nicknames are in *names*, by key.

    *notes* are None if an unknown column, or a solution that does not give the counts of its row, is a fault.
    Otherwise they name it, and the result is read without its moves; *remarks* are those of each round.
    """

    faults: list[str] = field(default_factory=list)
    notes: list[str] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    rounds: dict[int, dict[str, Any]] = field(default_factory=dict)
    results: dict[int, list[Result]] = field(default_factory=dict)
    remarks: dict[int, list[str]] = field(default_factory=dict)
    solutions: dict[int, dict[str, str]] = field(default_factory=dict)  # of level files, by round and slot

    def add_rounds(self, name: str, content: bytes) -> None:
        """Read a table of rounds."""
        before = len(self.faults)
        table = Table(name, content, tables.ROUND_COLUMNS, tables.NEEDED_OF_ROUND, self.faults, self.notes)
        if len(self.faults) == before:
            self.rounds |= {document["number"]: document for document in _rounds(table, self.rounds)}

    def add_results(self, name: str, content: bytes) -> None:
        """Read a table of results, after the rounds."""
        before = len(self.faults)
        table = Table(name, content, tables.RESULT_COLUMNS, tables.NEEDED_OF_RESULT, self.faults, self.notes)
        if len(self.faults) > before or (self.faults and not self.rounds):
            return
        rounds = {round_number: round_number for round_number in self.rounds}
        readers = _READERS | {"round": tables.choice(rounds, _("a round of rounds.csv"), tables.round_number)}
        for number, row in table.rows():
            faults = len(table.faults)
            cells = {column: table.cell(number, row, column, read) for column, read in readers.items()}
            if len(table.faults) == faults:
                self.results.setdefault(cells["round"], []).append(_result(table, number, cells))

    def add_levels(self, number: int, file: str, entries: Mapping[str, Entry]) -> Boards:
        """Name the levels of a round in its document, and take their solutions; return their boards by slot.

        A solution beside a level that does not solve it is left out, and named in the report.
        """
        self.rounds[number]["levels"] = [_level(slot, entry) for slot, entry in entries.items()]
        self.solutions[number] = {
            slot: pasted.level_of_entry(entry).solution for slot, entry in entries.items() if entry.solutions
        }
        unsolved = [slot for slot, entry in entries.items() if entry.attempts and not entry.solutions]
        message = _("%(file)s: the solution beside the level %(slot)s does not solve it, and is left out.")
        self.remarks.setdefault(number, []).extend(message % {"file": file, "slot": slot} for slot in unsolved)
        return {slot: entry.level for slot, entry in entries.items()}

    def put_on(self, boards: Mapping[int, Boards]) -> None:
        """Replay the solutions of all results on the *boards* of their rounds; keep the scored part, and the names."""
        for number, results in self.results.items():
            self.results[number] = [self._replayed(number, result, boards.get(number, {})) for result in results]

    def _replayed(self, number: int, result: Result, boards: Boards) -> Result:
        row, table = result.submission, result.table
        if row.slot not in boards:
            values = {"text": repr(row.slot), "what": _("a level of the round"), "choices": ", ".join(boards) or "–"}
            table.add_fault(row.number, "slot", _("%(text)s is not %(what)s (%(choices)s).") % values)
            return result
        lurd = row.lurd and self._scored_part(number, result, boards[row.slot])
        if not lurd and row.pushes > row.moves:
            table.add_fault(row.number, "pushes", _("there are more pushes than moves."))
        name = self.names.get(players.name_key(result.nickname), result.nickname)
        hashed_text = f"{number}|{name}|{row.slot}|{row.moves}|{row.pushes}|{row.received_at}|{lurd}"
        sha256 = hashlib.sha256(hashed_text.encode()).hexdigest()
        return replace(result, nickname=name, submission=replace(row, lurd=lurd, sha256=sha256))

    def _scored_part(self, number: int, result: Result, level: sokoban.Level) -> str:
        """Return the scored part of the moves; if their counts are not those of the row, record that."""
        row = result.submission
        if level.unjudgeable or not row.lurd:
            return row.lurd or ""
        outcome = replay(level, Moves.parse(row.lurd))
        counts = outcome.moves, outcome.pushes
        if outcome.is_solved and counts == (row.moves, row.pushes):
            return outcome.lurd
        column, why = "moves", _("the replay has %(counts)s.") % {"counts": describe_counts(*counts)}
        if not outcome.is_solved:
            column, why = "lurd", _("the replay gives %(verdict)s.") % {"verdict": Verdict(outcome.verdict).label}
        if self.notes is None:
            result.table.add_fault(row.number, column, why)
            return outcome.lurd
        self.remarks.setdefault(number, []).append(result.table.place(row.number, column, why))
        return ""

    def incoming(self, source: str, boards: Mapping[int, Boards]) -> list[Incoming]:
        """Return the rounds; raise NotImported with every fault."""
        if self.faults:
            raise NotImported(*self.faults)
        return [
            _build_incoming(
                source,
                document,
                boards[number],
                sorted(self.results.get(number, []), key=lambda result: result.key),
                tuple(self.remarks.get(number, ())),
                self.solutions.get(number, {}),
            )
            for number, document in self.rounds.items()
        ]


def _result(table: Table, number: int, cells: Mapping[str, Any]) -> Result:
    """Return the result of row *number*; its moves are not replayed yet."""
    submission = archived.Submission(
        number,
        0,
        cells["league"],
        cells["slot"],
        str(canonical.instant(cells["time"])),
        archived.ACCEPTED,
        cells["moves"],
        cells["pushes"],
        "",
        cells["lurd"],
        is_imported=True,
    )
    return Result(submission, cells["nickname"], cells["country"], table)


_LEAGUES = {"": "human", **{value: value for value in League.values}}
# In the order in which the faults of a row are listed; the rounds are added.
_READERS: dict[str, Callable[[str], Any]] = {
    "nickname": tables.nickname,
    "slot": tables.choice({slot: slot for slot in Slot.values}, gettext_lazy("a level of the round"), tables.slot),
    "time": tables.time,
    "league": tables.choice(_LEAGUES, gettext_lazy("a league")),
    "country": tables.country,
    "moves": tables.whole_number,
    "pushes": tables.whole_number,
    "lurd": tables.lurd,
}


def read(path: Path) -> list[Incoming]:
    """Read the rounds of the table at *path*, with the files beside it. Raise NotImported with every fault."""
    found = Tables()
    found.add_rounds(path.name, _content(path))
    boards = {number: _boards(path.parent, found, number) for number in found.rounds}
    results = path.with_name("results.csv")
    found.add_results(results.name, _content(results))
    found.put_on(boards)
    return found.incoming(path.name, boards)


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_TABLE_BYTES:
            raise NotImported(size_error(path.name, MAX_TABLE_BYTES))
        return path.read_bytes()
    except OSError as error:
        raise NotImported(read_error(path.name, error)) from None


def _rounds(table: Table, known: Iterable[int]) -> Iterator[dict[str, Any]]:
    seen = set(known)
    for number, row in table.rows():
        faults = len(table.faults)
        round_number = table.cell(number, row, "number", tables.round_number)
        opens_at, closes_at = (table.cell(number, row, name, tables.time) for name in ("opens_at", "closes_at"))
        scoring = table.cell(number, row, "scoring_levels", tables.slots)
        if len(table.faults) > faults:
            continue
        if closes_at <= opens_at:
            table.add_fault(number, "closes_at", _("is not after opens_at."))
        if round_number in seen:
            table.add_fault(number, "number", _("round %(number)s appears twice.") % {"number": round_number})
        seen.add(round_number)
        yield _round_document(round_number, row, opens_at, closes_at, scoring)


def _round_document(
    number: int, row: Row, opens_at: datetime, closes_at: datetime, scoring: tuple[str, ...]
) -> dict[str, Any]:
    """Return the contents of `round.json`. Old lucky numbers are unknown, so there is no draw."""
    unknown_fields = dict.fromkeys(
        ("announced_at", "make_up_opens_at", "make_up_closes_at", "finalised_at", "commitment", "lucky")
    )
    return {
        **unknown_fields,
        "number": number,
        "title_zh": row.get("title_zh", "")[:200],
        "title_en": row.get("title_en", "")[:200],
        "opens_at": canonical.instant(opens_at),
        "closes_at": canonical.instant(closes_at),
        "settings": RoundSettings(lucky=False, scoring_levels=scoring).as_json(),
        "files": row.get("levels", ""),
        "levels": [],
        "disqualified": [],
        "notes": [],
        "revisions": [],
        "results": archived.FINAL,
    }


def _boards(folder: Path, found: Tables, number: int) -> Boards:
    """Return the levels of a round by slot: in the file's order they are main, extra, extra2, extra3."""
    about, faults = found.rounds[number], found.faults
    name = about.pop("files") or next(
        (
            f"{about['number']}{end}"
            for end in (".sok", ".xsb", ".txt")
            if (folder / f"{about['number']}{end}").is_file()
        ),
        f"{about['number']}.sok",
    )
    if Path(name).name != name:
        message = _("rounds.csv, round %(round)s, levels: %(file)s is not a file beside rounds.csv.")
        faults.append(message % {"round": about["number"], "file": repr(name)})
        return {}
    try:
        if (folder / name).stat().st_size > MAX_TABLE_BYTES:
            raise NotImported(size_error(name, MAX_TABLE_BYTES))
        entries = read_levels(name, (folder / name).read_bytes(), faults)
    except OSError as error:
        faults.append(read_error(name, error))
        return {}
    if entries is None:
        return {}
    if not 1 <= len(entries) <= len(Slot.values):
        message = _("%(file)s: contains %(count)s levels; a round has 1 to %(most)s.")
        faults.append(message % {"file": name, "count": len(entries), "most": len(Slot.values)})
        return {}
    return found.add_levels(number, name, dict(zip(Slot.values, entries, strict=False)))


def read_levels(name: str, content: bytes, faults: list[str]) -> tuple[Entry, ...] | None:
    """Return the levels of a file, and record unreadable ones as *faults*; None if it is no level file."""
    try:
        collection = read_collection(content)
    except PuzzleError as error:
        faults.append(read_error(name, error))
        return None
    message = _("%(file)s, line %(line)s: %(why)s")
    faults += [
        message % {"file": name, "line": unread_entry.line, "why": describe_error(unread_entry.error)}
        for unread_entry in collection.unread
    ]
    faults += [nul_error(name, entry.line) for entry in collection.entries if "\0" in entry.title + entry.author]
    return collection.entries


def _level(slot: str, entry: Entry) -> dict[str, Any]:
    sha256 = entry.level.sha256
    return {"slot": slot, "title": entry.title[:200], "author": entry.author[:200], "sha256": sha256, "void": None}


def _build_incoming(
    source: str,
    about: dict[str, Any],
    boards: Boards,
    results: list[Result],
    remarks: tuple[str, ...],
    solutions: Mapping[str, str],
) -> Incoming:
    """Number the players and the results of a round; the numbers are valid only within this file."""
    numbers: dict[str, int] = {}
    players_by_number: dict[int, archived.Player] = {}
    rows: list[archived.Submission] = []
    for result in results:
        number = numbers.setdefault(players.name_key(result.nickname), len(numbers) + 1)
        league = result.submission.league
        players_by_number.setdefault(number, archived.Player(number, result.nickname, result.country, league))
        rows.append(replace(result.submission, player=number, number=len(rows) + 1))
    hashed_values = [
        about,
        [level.published_text for level in boards.values()],
        [[result.submission.sha256, result.country] for result in results],
    ]
    seal = hashlib.sha256(canonical.json_line(hashed_values).encode()).hexdigest()
    return Incoming(
        source,
        seal,
        about,
        boards,
        players_by_number,
        rows,
        {"draw": None},
        has_numbers=False,
        remarks=remarks,
        solutions=solutions,
    )
