"""Read old rounds from tables: rounds.csv, level files and results.csv beside it (docs/reference/archive.md).

All faults are collected, with file, row and column, before the import is refused.
"""

import csv
import hashlib
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from contest import players
from contest.archive import format as archived
from contest.archive.imports.incoming import Incoming, NotImported, read_error, size_error
from contest.infra import identity
from contest.models import League, Slot
from contest.rules import canonical
from contest.rules.settings import RoundSettings
from contest.wording.verdicts import describe_counts, describe_error
from solvers import sokoban
from solvers.errors import PuzzleError
from solvers.sokoban.formats import Entry, read_collection
from solvers.sokoban.formats.text import decode
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay

MAX_TABLE_BYTES = 2**28  # bytes of a table
_ROUND_COLUMNS = {"number", "opens_at", "closes_at"}
_OPTIONAL_ROUND_COLUMNS = {"title_zh", "title_en", "levels", "scoring_levels"}
_RESULT_COLUMNS = {"round", "nickname", "slot", "moves", "pushes", "time"}
_OPTIONAL_RESULT_COLUMNS = {"country", "league", "lurd"}
_MAX_NUMBER = 2_000_000

_Row = Mapping[str, str]


class _InvalidCell(Exception):
    """A cell is invalid; the message is a sentence with the reason."""


class _Table:
    """A CSV file: its rows, and the faults found in them."""

    def __init__(self, path: Path, needed: set[str], known: set[str], faults: list[str]) -> None:
        self.name, self.faults = path.name, faults
        try:
            if path.stat().st_size > MAX_TABLE_BYTES:
                raise NotImported(size_error(path.name, MAX_TABLE_BYTES))
            text = decode(path.read_bytes()).removeprefix("\ufeff")
        except (OSError, PuzzleError) as error:
            raise NotImported(read_error(path.name, error)) from None
        csv.field_size_limit(_MAX_NUMBER + 100)
        reader = csv.reader(io.StringIO(text, newline=""))
        try:
            headings = [head.strip().lower() for head in next(reader, [])]
            self._lines = [(reader.line_num, line) for line in reader if any(map(str.strip, line))]
        except csv.Error as error:
            raise NotImported(
                _("%(file)s, row %(row)s: this is not a table (%(why)s).")
                % {"file": path.name, "row": reader.line_num, "why": error}
            ) from None
        missing_columns, unknown_columns = sorted(needed - set(headings)), sorted(set(headings) - needed - known)
        message = _("%(file)s: the column %(column)s is missing.")
        faults += [message % {"file": path.name, "column": column} for column in missing_columns]
        message = _("%(file)s: the column %(column)s is not known.")
        faults += [message % {"file": path.name, "column": repr(column)} for column in unknown_columns]
        if len(set(headings)) < len(headings):
            faults.append(_("%(file)s: a column appears twice.") % {"file": path.name})
        self._columns = headings

    def rows(self) -> Iterator[tuple[int, _Row]]:
        for number, cells in self._lines:
            if len(cells) != len(self._columns):
                self.faults.append(
                    _("%(file)s, row %(row)s: %(cells)s cells, %(columns)s columns.")
                    % {"file": self.name, "row": number, "cells": len(cells), "columns": len(self._columns)}
                )
                continue
            yield number, dict(zip(self._columns, map(_plain, cells), strict=True))

    def cell(self, number: int, row: _Row, column: str, read: Callable[[str], Any]) -> Any:
        """Return one cell as a value; if it is invalid, record a fault and return None."""
        try:
            return read(row.get(column, ""))
        except _InvalidCell as error:
            self.add_fault(number, column, str(error))
        return None

    def add_fault(self, number: int, column: str, why: str) -> None:
        """Record a fault; *why* is a sentence."""
        place = {"file": self.name, "row": number, "column": column, "why": why}
        self.faults.append(_("%(file)s, row %(row)s, %(column)s: %(why)s") % place)


def read(path: Path) -> list[Incoming]:
    """Read the rounds of the table at *path*, with the files beside it. Raise NotImported with every fault."""
    faults: list[str] = []
    rounds = _Table(path, _ROUND_COLUMNS, _OPTIONAL_ROUND_COLUMNS, faults)
    results = _Table(path.with_name("results.csv"), _RESULT_COLUMNS, _OPTIONAL_RESULT_COLUMNS, faults)
    if faults:
        raise NotImported(*faults)
    documents = {document["number"]: document for document in _rounds(rounds)}
    boards = {number: _boards(path.parent, document, faults) for number, document in documents.items()}
    results_by_round = _results(results, boards)
    if faults:
        raise NotImported(*faults)
    return [
        _build_incoming(path, document, boards[number], results_by_round.get(number, []))
        for number, document in documents.items()
    ]


def _rounds(table: _Table) -> Iterator[dict[str, Any]]:
    seen: set[int] = set()
    for number, row in table.rows():
        faults = len(table.faults)
        round_number = table.cell(number, row, "number", _whole_number)
        opens_at, closes_at = (table.cell(number, row, name, _time) for name in ("opens_at", "closes_at"))
        scoring = table.cell(number, row, "scoring_levels", _slots)
        if len(table.faults) > faults:
            continue
        if closes_at <= opens_at:
            table.add_fault(number, "closes_at", _("is not after opens_at."))
        if round_number in seen:
            table.add_fault(number, "number", _("round %(number)s appears twice.") % {"number": round_number})
        seen.add(round_number)
        yield _round_document(round_number, row, opens_at, closes_at, scoring)


def _round_document(
    number: int, row: _Row, opens_at: datetime, closes_at: datetime, scoring: tuple[str, ...]
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


def _boards(folder: Path, about: dict[str, Any], faults: list[str]) -> dict[str, sokoban.Level]:
    """Return the levels of a round by slot: in the file's order they are main, extra, extra2, extra3."""
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
        collection = read_collection((folder / name).read_bytes())
    except (OSError, PuzzleError) as error:
        faults.append(read_error(name, error))
        return {}
    message = _("%(file)s, line %(line)s: %(why)s")
    faults += [
        message % {"file": name, "line": unread_entry.line, "why": describe_error(unread_entry.error)}
        for unread_entry in collection.unread
    ]
    if not 1 <= len(collection.entries) <= len(Slot.values):
        message = _("%(file)s: contains %(count)s levels; a round has 1 to %(most)s.")
        faults.append(message % {"file": name, "count": len(collection.entries), "most": len(Slot.values)})
        return {}
    entries_by_slot = dict(zip(Slot.values, collection.entries, strict=False))
    about["levels"] = [_level(slot, entry) for slot, entry in entries_by_slot.items()]
    return {slot: entry.level for slot, entry in entries_by_slot.items()}


def _level(slot: str, entry: Entry) -> dict[str, Any]:
    sha256 = entry.level.sha256
    return {"slot": slot, "title": entry.title[:200], "author": entry.author[:200], "sha256": sha256, "void": None}


_NamedResult = tuple[archived.Submission, str, str]


def _results(table: _Table, boards: Mapping[int, Mapping[str, sokoban.Level]]) -> dict[int, list[_NamedResult]]:
    """Return the results by round, each with nickname and country, sorted by time and then by row in the file."""
    by_round: dict[int, list[_NamedResult]] = {number: [] for number in boards}
    for number, row in table.rows():
        faults = len(table.faults)
        round_ = table.cell(
            number,
            row,
            "round",
            _choice({str(round_number): round_number for round_number in boards}, _("a round of rounds.csv")),
        )
        name = table.cell(number, row, "nickname", _nickname)
        slot = table.cell(
            number, row, "slot", _choice({slot: slot for slot in boards.get(round_, {})}, _("a level of the round"))
        )
        at = table.cell(number, row, "time", _time)
        league = table.cell(
            number, row, "league", _choice({"": "human", **{value: value for value in League.values}}, _("a league"))
        )
        country = table.cell(number, row, "country", _country)
        moves, pushes = (table.cell(number, row, column, _whole_number) for column in ("moves", "pushes"))
        lurd = table.cell(number, row, "lurd", _lurd)
        if len(table.faults) > faults:
            continue
        if lurd:
            lurd = _scored_part(table, number, boards[round_][slot], lurd, (moves, pushes))
        elif pushes > moves:
            table.add_fault(number, "pushes", _("there are more pushes than moves."))
        hashed_text = "|".join([str(round_), name, slot, str(moves), str(pushes), str(canonical.instant(at)), lurd])
        sha256 = hashlib.sha256(hashed_text.encode()).hexdigest()
        submission = archived.Submission(
            number, 0, league, slot, str(canonical.instant(at)), archived.ACCEPTED, moves, pushes, sha256, lurd
        )
        by_round[round_].append((replace(submission, is_imported=True), name, country))
    return {
        round_: sorted(rows, key=lambda value: (value[0].received_at, value[0].number))
        for round_, rows in by_round.items()
    }


def _scored_part(table: _Table, number: int, level: sokoban.Level, lurd: str, stated_counts: tuple[int, int]) -> str:
    """Return the scored part of the moves; record a fault if the counts differ from the row's."""
    if level.unjudgeable:
        return lurd
    outcome = replay(level, Moves.parse(lurd))
    if not outcome.is_solved:
        table.add_fault(number, "lurd", _("the replay gives %(verdict)s.") % {"verdict": outcome.verdict})
    elif (outcome.moves, outcome.pushes) != stated_counts:
        counts = describe_counts(outcome.moves, outcome.pushes)
        table.add_fault(number, "moves", _("the replay has %(counts)s.") % {"counts": counts})
    return outcome.lurd


def _build_incoming(
    path: Path, about: dict[str, Any], boards: Mapping[str, sokoban.Level], results: list[_NamedResult]
) -> Incoming:
    """Number the players and the results of a round; the numbers are valid only within this file."""
    numbers: dict[str, int] = {}
    players_by_number: dict[int, archived.Player] = {}
    rows: list[archived.Submission] = []
    for row, name, country in results:
        number = numbers.setdefault(players.name_key(name), len(numbers) + 1)
        players_by_number.setdefault(number, archived.Player(number, name, country, row.league))
        rows.append(replace(row, player=number, number=len(rows) + 1))
    hashed_values = [
        about,
        [level.published_text for level in boards.values()],
        [[result[0].sha256, result[2]] for result in results],
    ]
    seal = hashlib.sha256(canonical.json_line(hashed_values).encode()).hexdigest()
    return Incoming(path.name, seal, about, boards, players_by_number, rows, {"draw": None}, has_numbers=False)


# Cells


def _plain(cell: str) -> str:
    """Strip the formula guard that our own tables put before a cell (rule 24.1)."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and 0 < int(text) <= _MAX_NUMBER):
        raise _InvalidCell(
            _("%(text)s is not a whole number from 1 to %(most)s.") % {"text": _quote(text), "most": f"{_MAX_NUMBER:,}"}
        )
    return int(text)


def _time(text: str) -> datetime:
    """Parse ISO 8601; a time without a zone is in the site's time zone (rule 3.5)."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise _InvalidCell(_("%(text)s is not a time such as 2010-05-01 20:00.") % {"text": _quote(text)}) from None
    at = timezone.make_aware(at, identity.zone()) if at.tzinfo is None else at
    if at.year < 2000:
        raise _InvalidCell(_("%(text)s is before the year 2000.") % {"text": _quote(text)})
    return at.astimezone(UTC)


def _choice(choices: Mapping[str, Any], what: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        if text not in choices:
            known = ", ".join(filter(None, choices)) or _("there is none")
            values = {"text": _quote(text), "what": what, "choices": known}
            raise _InvalidCell(_("%(text)s is not %(what)s (%(choices)s).") % values)
        return choices[text]

    return read


def _slots(text: str) -> tuple[str, ...]:
    slots = tuple(text.split()) or ("main",)
    if any(slot not in Slot.values for slot in slots):
        values = {"text": _quote(text), "slots": " ".join(Slot.values)}
        raise _InvalidCell(_("%(text)s are not levels from %(slots)s.") % values)
    return tuple(slot for slot in Slot.values if slot in slots)


def _nickname(text: str) -> str:
    try:
        return players.clean_nickname(text)
    except players.BadName as error:
        values = {"text": _quote(text), "why": error.message}
        raise _InvalidCell(_("%(text)s cannot be a nickname. %(why)s") % values) from None


def _country(text: str) -> str:
    if text and not (text.isascii() and text.isalnum() and len(text) <= 8):
        raise _InvalidCell(_("%(text)s is not a code of up to 8 letters or digits.") % {"text": _quote(text)})
    return text


def _lurd(text: str) -> str:
    try:
        return Moves.parse(text).steps
    except PuzzleError as error:
        raise _InvalidCell(describe_error(error)) from None


def _quote(text: str) -> str:
    """Return a cell for an error message: shortened, and with invisible characters escaped."""
    return repr(text[:40])
