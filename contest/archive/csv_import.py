"""Read old rounds from tables: rounds.csv, level files and results.csv beside it (docs/archive.md).

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
from contest.archive.incoming import Incoming, NotImported, too_large, unreadable
from contest.models import League, Slot
from contest.rules import canonical
from contest.rules.settings import RoundSettings
from contest.wording.verdicts import error_words
from solvers import sokoban
from solvers.errors import PuzzleError
from solvers.sokoban.formats import Entry, read_collection
from solvers.sokoban.formats.text import decode
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay

LARGEST = 2**28  # bytes of a table
_ROUNDS = {"number", "opens_at", "closes_at"}
_ROUNDS_TOO = {"title_zh", "title_en", "levels", "scoring_levels"}
_RESULTS = {"round", "nickname", "slot", "moves", "pushes", "time"}
_RESULTS_TOO = {"country", "league", "lurd"}
_MOST = 2_000_000

_Row = Mapping[str, str]


class _Wrong(Exception):
    """A cell is invalid; the message is a sentence with the reason."""


class _Table:
    """A CSV file: its rows, and the faults found in them."""

    def __init__(self, path: Path, needed: set[str], known: set[str], faults: list[str]) -> None:
        self.name, self.faults = path.name, faults
        try:
            if path.stat().st_size > LARGEST:
                raise NotImported(too_large(path.name, LARGEST))
            text = decode(path.read_bytes()).removeprefix("\ufeff")
        except (OSError, PuzzleError) as error:
            raise NotImported(unreadable(path.name, error)) from None
        csv.field_size_limit(_MOST + 100)
        reader = csv.reader(io.StringIO(text, newline=""))
        try:
            heads = [head.strip().lower() for head in next(reader, [])]
            self._lines = [(reader.line_num, line) for line in reader if any(map(str.strip, line))]
        except csv.Error as error:
            raise NotImported(
                _("%(file)s, row %(row)s: this is no table (%(why)s).")
                % {"file": path.name, "row": reader.line_num, "why": error}
            ) from None
        missing, foreign = sorted(needed - set(heads)), sorted(set(heads) - needed - known)
        words = _("%(file)s: the column %(column)s is missing.")
        faults += [words % {"file": path.name, "column": column} for column in missing]
        words = _("%(file)s: the column %(column)s is not known.")
        faults += [words % {"file": path.name, "column": repr(column)} for column in foreign]
        if len(set(heads)) < len(heads):
            faults.append(_("%(file)s: a column stands there twice.") % {"file": path.name})
        self._heads = heads

    def rows(self) -> Iterator[tuple[int, _Row]]:
        for number, cells in self._lines:
            if len(cells) != len(self._heads):
                self.faults.append(
                    _("%(file)s, row %(row)s: %(cells)s cells, %(columns)s columns.")
                    % {"file": self.name, "row": number, "cells": len(cells), "columns": len(self._heads)}
                )
                continue
            yield number, dict(zip(self._heads, map(_plain, cells), strict=True))

    def cell(self, number: int, row: _Row, column: str, read: Callable[[str], Any]) -> Any:
        """Return one cell as a value; if it is invalid, record a fault and return None."""
        try:
            return read(row.get(column, ""))
        except _Wrong as wrong:
            self.wrong(number, column, str(wrong))
        return None

    def wrong(self, number: int, column: str, why: str) -> None:
        """Record a fault; *why* is a sentence."""
        place = {"file": self.name, "row": number, "column": column, "why": why}
        self.faults.append(_("%(file)s, row %(row)s, %(column)s: %(why)s") % place)


def read(path: Path) -> list[Incoming]:
    """Read the rounds of the table at *path*, with the files beside it. Raise NotImported with every fault."""
    faults: list[str] = []
    rounds = _Table(path, _ROUNDS, _ROUNDS_TOO, faults)
    results = _Table(path.with_name("results.csv"), _RESULTS, _RESULTS_TOO, faults)
    if faults:
        raise NotImported(*faults)
    abouts = {about["number"]: about for about in _rounds(rounds)}
    boards = {number: _boards(path.parent, about, faults) for number, about in abouts.items()}
    found = _results(results, boards)
    if faults:
        raise NotImported(*faults)
    return [_incoming(path, about, boards[number], found.get(number, [])) for number, about in abouts.items()]


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
            table.wrong(number, "closes_at", _("is not after opens_at."))
        if round_number in seen:
            table.wrong(number, "number", _("round %(number)s stands here twice.") % {"number": round_number})
        seen.add(round_number)
        yield _about(round_number, row, opens_at, closes_at, scoring)


def _about(number: int, row: _Row, opens_at: datetime, closes_at: datetime, scoring: tuple[str, ...]) -> dict[str, Any]:
    """Return the contents of `round.json`. Old lucky numbers are unknown, so there is no draw."""
    nothing = dict.fromkeys(
        ("announced_at", "make_up_opens_at", "make_up_closes_at", "finalised_at", "commitment", "lucky")
    )
    return {
        **nothing,
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
        words = _("rounds.csv, round %(round)s, levels: %(file)s is no file beside rounds.csv.")
        faults.append(words % {"round": about["number"], "file": repr(name)})
        return {}
    try:
        if (folder / name).stat().st_size > LARGEST:
            raise NotImported(too_large(name, LARGEST))
        found = read_collection((folder / name).read_bytes())
    except (OSError, PuzzleError) as error:
        faults.append(unreadable(name, error))
        return {}
    words = _("%(file)s, line %(line)s: %(why)s")
    faults += [words % {"file": name, "line": one.line, "why": error_words(one.error)} for one in found.unread]
    if not 1 <= len(found.entries) <= len(Slot.values):
        words = _("%(file)s: holds %(count)s levels; a round has 1 to %(most)s.")
        faults.append(words % {"file": name, "count": len(found.entries), "most": len(Slot.values)})
        return {}
    placed = dict(zip(Slot.values, found.entries, strict=False))
    about["levels"] = [_level(slot, entry) for slot, entry in placed.items()]
    return {slot: entry.level for slot, entry in placed.items()}


def _level(slot: str, entry: Entry) -> dict[str, Any]:
    sha256 = entry.level.sha256
    return {"slot": slot, "title": entry.title[:200], "author": entry.author[:200], "sha256": sha256, "void": None}


_Named = tuple[archived.Submission, str, str]


def _results(table: _Table, boards: Mapping[int, Mapping[str, sokoban.Level]]) -> dict[int, list[_Named]]:
    """Return the results by round, each with nickname and country, sorted by time and then by row in the file."""
    found: dict[int, list[_Named]] = {number: [] for number in boards}
    for number, row in table.rows():
        faults = len(table.faults)
        round_ = table.cell(
            number, row, "round", _one_of({str(known): known for known in boards}, _("a round of rounds.csv"))
        )
        name = table.cell(number, row, "nickname", _nickname)
        slot = table.cell(
            number, row, "slot", _one_of({slot: slot for slot in boards.get(round_, {})}, _("a level of the round"))
        )
        at = table.cell(number, row, "time", _time)
        league = table.cell(
            number, row, "league", _one_of({"": "human", **{one: one for one in League.values}}, _("a league"))
        )
        country = table.cell(number, row, "country", _country)
        moves, pushes = (table.cell(number, row, column, _whole_number) for column in ("moves", "pushes"))
        lurd = table.cell(number, row, "lurd", _lurd)
        if len(table.faults) > faults:
            continue
        if lurd:
            lurd = _scored_part(table, number, boards[round_][slot], lurd, (moves, pushes))
        elif pushes > moves:
            table.wrong(number, "pushes", _("there are more pushes than moves."))
        told = "|".join([str(round_), name, slot, str(moves), str(pushes), str(canonical.instant(at)), lurd])
        sha256 = hashlib.sha256(told.encode()).hexdigest()
        shown = archived.Submission(
            number, 0, league, slot, str(canonical.instant(at)), archived.ACCEPTED, moves, pushes, sha256, lurd
        )
        found[round_].append((replace(shown, is_imported=True), name, country))
    return {round_: sorted(rows, key=lambda one: (one[0].received_at, one[0].number)) for round_, rows in found.items()}


def _scored_part(table: _Table, number: int, level: sokoban.Level, lurd: str, told: tuple[int, int]) -> str:
    """Return the scored part of the moves; record a fault if the counts differ from the row's."""
    if level.unjudgeable:
        return lurd
    outcome = replay(level, Moves.parse(lurd))
    if not outcome.is_solved:
        table.wrong(number, "lurd", _("the replay says %(verdict)s.") % {"verdict": outcome.verdict})
    elif (outcome.moves, outcome.pushes) != told:
        counts = {"moves": outcome.moves, "pushes": outcome.pushes}
        table.wrong(number, "moves", _("the replay has %(moves)s moves and %(pushes)s pushes.") % counts)
    return outcome.lurd


def _incoming(
    path: Path, about: dict[str, Any], boards: Mapping[str, sokoban.Level], results: list[_Named]
) -> Incoming:
    """Number the players and the results of a round; the numbers are valid only within this file."""
    numbers: dict[str, int] = {}
    people: dict[int, archived.Player] = {}
    rows: list[archived.Submission] = []
    for row, name, country in results:
        number = numbers.setdefault(players.name_key(name), len(numbers) + 1)
        people.setdefault(number, archived.Player(number, name, country, row.league))
        rows.append(replace(row, player=number, number=len(rows) + 1))
    told = [about, [level.published_text for level in boards.values()], [[one[0].sha256, one[2]] for one in results]]
    seal = hashlib.sha256(canonical.json_line(told).encode()).hexdigest()
    return Incoming(path.name, seal, about, boards, people, rows, {"draw": None}, has_numbers=False)


# Cells


def _plain(cell: str) -> str:
    """Strip the formula guard that our own tables put before a cell (rule 24.1)."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell


def _whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and 0 < int(text) <= _MOST):
        raise _Wrong(
            _("%(text)s is no whole number from 1 to %(most)s.") % {"text": _quote(text), "most": f"{_MOST:,}"}
        )
    return int(text)


def _time(text: str) -> datetime:
    """Parse ISO 8601; a time without a zone is Beijing time (rule 3.5)."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise _Wrong(_("%(text)s is no time such as 2010-05-01 20:00.") % {"text": _quote(text)}) from None
    at = timezone.make_aware(at) if at.tzinfo is None else at
    if at.year < 2000:
        raise _Wrong(_("%(text)s lies before the year 2000.") % {"text": _quote(text)})
    return at.astimezone(UTC)


def _one_of(choices: Mapping[str, Any], what: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        if text not in choices:
            known = ", ".join(filter(None, choices)) or _("there is none")
            words = {"text": _quote(text), "what": what, "choices": known}
            raise _Wrong(_("%(text)s is not %(what)s (%(choices)s).") % words)
        return choices[text]

    return read


def _slots(text: str) -> tuple[str, ...]:
    slots = tuple(text.split()) or ("main",)
    if any(slot not in Slot.values for slot in slots):
        words = {"text": _quote(text), "slots": " ".join(Slot.values)}
        raise _Wrong(_("%(text)s are not levels out of %(slots)s.") % words)
    return tuple(slot for slot in Slot.values if slot in slots)


def _nickname(text: str) -> str:
    try:
        return players.clean_nickname(text)
    except players.BadName as bad:
        words = {"text": _quote(text), "why": bad.words}
        raise _Wrong(_("%(text)s cannot be a nickname. %(why)s") % words) from None


def _country(text: str) -> str:
    if text and not (text.isascii() and text.isalnum() and len(text) <= 8):
        raise _Wrong(_("%(text)s is no code of up to 8 letters or digits.") % {"text": _quote(text)})
    return text


def _lurd(text: str) -> str:
    try:
        return Moves.parse(text).steps
    except PuzzleError as error:
        raise _Wrong(error_words(error)) from None


def _quote(text: str) -> str:
    """Return a cell for an error message: shortened, and with invisible characters escaped."""
    return repr(text[:40])
