"""Tables as CSV files of spreadsheets: their encoding, separator and headings; cells as values; faults with places."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django_countries import countries

from contest import players
from contest.archive.imports.incoming import NotImported, nul_error, read_error
from contest.infra import identity
from contest.models import Slot
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError
from solvers.sokoban.formats.text import decode
from solvers.sokoban.moves import Moves

MOST = 2_000_000  # the largest number in a cell

_BEGINNING = 4_096  # bytes that hold the headings
_MOST_SHOWN = 20  # choices in a message

Row = Mapping[str, str]
# The headings that mean a column, besides its own name; MF8's names are the first.
ROUND_COLUMNS = {
    "number": ("id", "round", "no", "期", "期号", "期数", "届", "编号"),
    "opens_at": ("begin", "begins", "start", "opens", "open", "开始", "开始时间", "开赛", "开赛时间"),
    "closes_at": ("end", "ends", "closes", "close", "deadline", "结束", "结束时间", "截止", "截止时间"),
    "title_zh": ("中文标题", "标题", "名称"),
    "title_en": ("title", "英文标题"),
    "levels": ("level file", "level files", "file", "关卡", "关卡文件", "文件"),
    "scoring_levels": ("计分关卡",),
}
RESULT_COLUMNS = {
    "round": ("id", "number", "no", "期", "期号", "期数", "届", "编号"),
    "nickname": ("name", "player", "nick", "昵称", "选手", "姓名", "名字", "用户", "用户名", "网名"),
    "slot": ("label", "level", "关卡", "关"),
    "moves": ("move", "移动", "移动数", "移动步数", "步数"),
    "pushes": ("push", "推", "推数", "推动", "推动数", "推箱数", "推动步数"),
    "time": ("date", "submitted", "received", "时间", "提交时间", "日期"),
    "country": ("region", "国家", "地区", "国家或地区", "国家/地区"),
    "league": ("组别",),
    "lurd": ("solution", "answer", "答案", "解", "解答", "解法"),
}
NEEDED_OF_ROUND = ("number", "opens_at", "closes_at")
NEEDED_OF_RESULT = ("round", "nickname", "slot", "moves", "pushes", "time")
_EXTRA_WORDS = ("ext", "附加", "附加关", "附加关卡", "副关", "加关")
_SLOTS = {
    **dict.fromkeys(("", "主", "主关", "主关卡"), Slot.MAIN),  # the first rounds of MF8 had one level
    **{slot.value: slot for slot in Slot},
    **{f"{word}{end}": slot for slot, end in zip(list(Slot)[1:], ("", "2", "3"), strict=True) for word in _EXTRA_WORDS},
}
_NUMBERED = re.compile(r"(?:第|round)?\s*(\d+)\s*[期届]?", re.IGNORECASE)
_DATED = re.compile(
    r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:\s+|T)?(?:(\d{1,2})[:时](\d{1,2})(?::(\d{1,2}))?分?)?"
)
_ISO = "{:04}-{:02}-{:02} {:02}:{:02}:{:02}"


class InvalidCell(Exception):
    """A cell is invalid; the message is a sentence with the reason."""


class Table:
    """A CSV file: its rows, and the faults found in them. An unknown column is a fault, or else one of the *notes*."""

    def __init__(
        self,
        name: str,
        content: bytes,
        columns: Mapping[str, tuple[str, ...]],
        needed: tuple[str, ...],
        faults: list[str],
        notes: list[str] | None = None,
    ) -> None:
        self.name, self.faults = name, faults
        lines, numbers = _read_lines(name, content)
        headings = next(iter(lines), [])
        while headings and not headings[-1].strip():  # a spreadsheet's empty columns
            headings = headings[:-1]
        meant = meanings(headings, columns)
        self._columns = [column or heading for column, heading in zip(meant, headings, strict=True)]
        width = len(headings)
        self._lines = [
            (number, cells[:width] if not any(map(str.strip, cells[width:])) else cells)
            for number, cells in list(zip(numbers, lines, strict=True))[1:]
        ]
        message = _("%(file)s: the column %(column)s is missing.")
        missing = sorted(set(needed) - set(self._columns))
        faults += [message % {"file": name, "column": column} for column in missing]
        message = _("%(file)s: the column %(column)s is not known.")
        unknown = sorted(heading for heading, column in zip(headings, meant, strict=True) if not column)
        (faults if notes is None else notes).extend(
            message % {"file": name, "column": repr(heading)} for heading in unknown
        )
        if len(set(self._columns)) < len(self._columns):
            faults.append(_("%(file)s: a column appears twice.") % {"file": name})

    def __len__(self) -> int:
        return len(self._lines)

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Yield line numbers and rows; a row with more or fewer cells is a fault."""
        for number, cells in self._lines:
            if len(cells) != len(self._columns):
                self.faults.append(
                    _("%(file)s, row %(row)s: %(cells)s cells, %(columns)s columns.")
                    % {"file": self.name, "row": number, "cells": len(cells), "columns": len(self._columns)}
                )
                continue
            yield number, dict(zip(self._columns, map(_plain, cells), strict=True))

    def cell(self, number: int, row: Row, column: str, read: Callable[[str], Any]) -> Any:
        """Return one cell as a value; if it is invalid, record a fault and return None."""
        try:
            return read(row.get(column, ""))
        except InvalidCell as error:
            self.add_fault(number, column, str(error))
        return None

    def add_fault(self, number: int, column: str, why: str) -> None:
        """Record a fault; *why* is a sentence."""
        self.faults.append(self.place(number, column, why))

    def place(self, number: int, column: str, why: str) -> str:
        """Return the sentence *why* with its place."""
        place = {"file": self.name, "row": number, "column": column, "why": why}
        return _("%(file)s, row %(row)s, %(column)s: %(why)s") % place


def first_line(name: str, content: bytes) -> list[str]:
    """Return the headings of a table. Raise NotImported if it is no text."""
    return next(iter(_read_lines(name, content[:_BEGINNING])[0]), [])


def meanings(headings: list[str], columns: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the column that each heading means; an empty string if it means none.

    >>> meanings(["期号", "Opens_at", "End", "remarks"], ROUND_COLUMNS)
    ['number', 'opens_at', 'closes_at', '']
    """
    known = {_plain_heading(name): column for column, others in columns.items() for name in (column, *others)}
    return [known.get(_plain_heading(heading), "") for heading in headings]


def _plain_heading(heading: str) -> str:
    return unicodedata.normalize("NFKC", heading).casefold().replace("_", "").replace(" ", "").strip()


def _read_lines(name: str, content: bytes) -> tuple[list[list[str]], list[int]]:
    """Return the lines that are not blank, as cells, and their numbers in the file."""
    try:
        text = decode(content).removeprefix("\ufeff")
    except PuzzleError as error:
        raise NotImported(read_error(name, error)) from None
    if "\0" in text:
        raise NotImported(nul_error(name, len(text[: text.index("\0") + 1].splitlines())))
    csv.field_size_limit(MOST + 100)
    start = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=start.count))
    try:
        numbered = [(reader.line_num, line) for line in reader if any(map(str.strip, line))]
    except csv.Error as error:
        raise NotImported(
            _("%(file)s, row %(row)s: this is not a table (%(why)s).")
            % {"file": name, "row": reader.line_num, "why": error}
        ) from None
    return [line for _number, line in numbered], [number for number, _line in numbered]


# Cells


def _plain(cell: str) -> str:
    """Strip the formula guard that our own tables put before a cell (rule 24.1)."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and 0 < int(text) <= MOST):
        raise InvalidCell(
            _("%(text)s is not a whole number from 1 to %(most)s.") % {"text": quote(text), "most": f"{MOST:,}"}
        )
    return int(text)


def round_number(text: str) -> int:
    """Read a round's number, also as in 第14期."""
    match = _NUMBERED.fullmatch(text)
    return whole_number(match[1] if match else text)


def time(text: str) -> datetime:
    """Read ISO 8601, or a date as spreadsheets write it; without a zone it is in the site's time zone (rule 3.5)."""
    try:
        if match := _DATED.fullmatch(text):
            text = _ISO.format(*(int(part or 0) for part in match.groups()))
        at = datetime.fromisoformat(text)
        at = timezone.make_aware(at, identity.zone()) if at.tzinfo is None else at
        in_utc = at.astimezone(UTC)
    except (ValueError, OverflowError):  # the year 10000 of UTC may be 9999 elsewhere
        raise InvalidCell(_("%(text)s is not a time such as 2010-05-01 20:00.") % {"text": quote(text)}) from None
    if at.year < 2000:
        raise InvalidCell(_("%(text)s is before the year 2000.") % {"text": quote(text)})
    return in_utc


def choice(choices: Mapping[Any, Any], what: str | Promise, read: Callable[[str], Any] = str) -> Callable[[str], Any]:
    """Return a reader of cells that are keys of *choices*, after *read*."""

    def read_choice(text: str) -> Any:
        key = read(text)
        if key not in choices:
            known = list(filter(None, map(str, choices))) or [_("there is none")]
            shown = known if len(known) <= _MOST_SHOWN else [known[0], "…", known[-1]]
            values = {"text": quote(text), "what": what, "choices": ", ".join(shown)}
            raise InvalidCell(_("%(text)s is not %(what)s (%(choices)s).") % values)
        return choices[key]

    return read_choice


def slot(text: str) -> str:
    """Return the slot that *text* names, as in Ext2 or 附加关2; or *text* itself."""
    return str(_SLOTS.get(unicodedata.normalize("NFKC", text).casefold().replace(" ", ""), text))


def slots(text: str) -> tuple[str, ...]:
    names = tuple(map(slot, text.split())) or ("main",)
    if any(name not in Slot.values for name in names):
        values = {"text": quote(text), "slots": " ".join(Slot.values)}
        raise InvalidCell(_("%(text)s are not levels from %(slots)s.") % values)
    return tuple(name for name in Slot.values if name in names)


@lru_cache(maxsize=10_000)  # each appears in many rows
def nickname(text: str) -> str:
    try:
        return players.clean_nickname(text)
    except players.BadName as error:
        values = {"text": quote(text), "why": error.message}
        raise InvalidCell(_("%(text)s cannot be a nickname. %(why)s") % values) from None


def country(text: str) -> str:
    """Read a code, or a country's name in English or Chinese."""
    if text and not (text.isascii() and text.isalnum() and len(text) <= 8):
        code = countries.by_name(text) or countries.by_name(text, language="zh-hans")
        if not code:
            raise InvalidCell(_("%(text)s is not a code of up to 8 letters or digits.") % {"text": quote(text)})
        return str(code)
    return text


def lurd(text: str) -> str:
    try:
        return Moves.parse(text).steps
    except PuzzleError as error:
        raise InvalidCell(describe_error(error)) from None


def quote(text: str) -> str:
    """Return a cell for an error message: shortened, and with invisible characters escaped."""
    return repr(text[:40])
