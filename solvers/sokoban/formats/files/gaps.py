"""Assign the text between two boards to the level above or below. The whole file decides where names are."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import dropwhile, groupby, takewhile
from typing import NamedTuple

from solvers.sokoban.formats.attempts import Block
from solvers.sokoban.formats.files.items import Item
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import TextLine
from solvers.sokoban.reading.movelines import LineKind

WORD_LENGTH = 16  # at most this many move letters on one line may be a title such as "Dull"

_OF_MOVES = frozenset(
    {
        "solution name", "own solution", "solution comment", "solution comment end", "solver", "optimizer",
        "optimality", "time", "date", "date created",
    }
)  # fmt: skip
_LEVEL_NUMBER = re.compile(r"[ \t]*(?:level|maze|no\.?)[ \t]*#?[0-9]{1,9}[ \t]*", re.IGNORECASE)
_QUOTED_NAME = re.compile(r"[ \t]*'(.*[^ \t'].*)'[ \t]*")
_MOVES_KINDS = frozenset(LineKind)
_REFUSED: dict[str, Notice] = {LineKind.REVERSE: Notice.REVERSE_MODE, LineKind.PUSHERS: Notice.SEVERAL_PUSHERS}


# The kinds of lines that are names.
NAMES: dict[str, Callable[[Item], bool]] = {
    "keys": lambda item: item.key == "title",
    "notes": lambda item: item.kind == "note" and bool(item.text),
    "lines": lambda item: item.kind == "text",
}


@dataclass
class Placing:
    """The kinds of names that stand *above* their boards; *unclear* if both readings name as many levels."""

    above: dict[str, bool] = field(default_factory=lambda: {"keys": False, "notes": True, "lines": True})
    unclear: str = ""

    @classmethod
    def of(cls, gaps: list[list[Item]], *, is_complete: bool) -> "Placing":
        """Weigh both readings over all *gaps* of a file: before the first board, between boards, after the last.

        A name in the first gap has only a board below, a name in the last only one above. Between two boards, a blank
        line on one side tells. *is_complete* is False if more boards follow the last gap.
        """
        placing = cls()
        for kind in NAMES:
            balance, count = _weigh(gaps, kind, is_complete=is_complete)
            if balance:
                placing.above[kind] = balance > 0
            elif 2 * count >= len(gaps) - 1 and count and kind != "lines":
                placing.unclear = "above" if placing.above[kind] else "below"
        return placing


def _weigh(gaps: list[list[Item]], kind: str, *, is_complete: bool) -> tuple[int, int]:
    """Return by how many levels more the reading "above" is right, and the number of names between boards.

    A text line below a board counts only if it is a paragraph of its own, as notes stand there too.
    """
    balance = count = 0
    for number, items in enumerate(gaps):
        if not any(map(NAMES[kind], items)):
            continue
        paragraph = first_paragraph(items)
        is_upper = any(map(NAMES[kind], paragraph)) and not (kind == "lines" and len(paragraph) > 1)
        if not number:
            balance += 1
        elif is_complete and number == len(gaps) - 1:
            balance -= is_upper or kind != "lines"
        else:
            count += 1
            balance += any(map(NAMES[kind], first_paragraph(items[::-1]))) - is_upper
            balance += kind == "lines" and not is_upper
    return balance, count


def first_paragraph(items: Iterable[Item]) -> list[Item]:
    return list(takewhile(lambda item: item.kind in ("key", "note", "text"), items))


@dataclass
class LevelText:
    """The text around one board that belongs to it: its titles in order of precedence, and all other parts."""

    titles: list[str] = field(default_factory=list)
    keys: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


class Heading(NamedTuple):
    """The text above a board: the index where it begins, a title line, and a `;` line."""

    start: int
    title: str = ""
    note: str = ""
    perhaps_moves: Block | None = None  # the title line may also be moves


def split_gap(items: list[Item], heading: Heading, above: LevelText, placing: Placing) -> LevelText:
    """Add the items before the *heading* to the level *above*. Return the rest, which belongs to the board below."""
    own, below = items[: heading.start], LevelText([heading.title, heading.note])
    paragraph = first_paragraph(dropwhile(lambda item: item.kind == "blank", own))
    kinds = [is_name for kind, is_name in NAMES.items() if kind != "keys" and not placing.above[kind]]
    name = next((item for is_name in kinds for item in paragraph if is_name(item)), None)
    if name:
        above.titles.append(name.text.strip())
        own = [item for item in own if item is not name]
    for item in items[heading.start :]:
        if item.kind == "key":
            below.keys.append(item)
        elif not heading.title and item.kind not in ("blank", "note") and not _QUOTED_NAME.fullmatch(item.text):
            below.notes.append(item.text)
    _read_below_board(own, above)
    return below


def _read_below_board(items: list[Item], level: LevelText) -> None:
    """Add keys, blocks of moves and notes to *level*. Text behind moves is a note of these moves."""
    at = since = 0  # since: start of the text after the last moves
    level_notes: list[str] = []
    notes = level_notes
    while at < len(items):
        item = items[at]
        if item.kind in _MOVES_KINDS:
            title = _title_before(items, since, at)
            if title:  # it is the last of the notes
                del notes[max((place for place, note in enumerate(notes) if note), default=0) :]
            since = _end_of_moves(items, at)
            if refused := next((line.kind for line in items[at:since] if line.kind in _REFUSED), None):
                level.remarks.append(Remark(_REFUSED[refused], item.number))
            else:
                groups = groupby(items[at:since], lambda line: line.kind == "blank")
                paragraphs = [list[TextLine](lines) for is_blank, lines in groups if not is_blank]
                level.blocks.append(Block(title.text.strip() if title else "", paragraphs))
                notes = level.blocks[-1].notes
            at = since
            continue
        if item.kind == "key" and not (level.blocks and item.key in _OF_MOVES):
            level.keys.append(item)
        elif item.kind == "blank":
            notes += [""] if notes and notes[-1] else []
        else:
            notes.append(f"{item.key.capitalize()}: {item.text}" if item.kind == "key" else item.text)
        at += 1
    level.notes += level_notes


def _end_of_moves(items: list[Item], start: int) -> int:
    """Return the end of the moves that begin at *start*, with blank lines between; all are quoted, or none."""
    end = start
    kinds, quoted = {"blank", *_MOVES_KINDS}, items[start].quoted
    while end < len(items) and items[end].kind in kinds and (items[end].quoted == quoted or items[end].kind == "blank"):
        end += 1
    return _skip_back(items, end, start, "blank")


def _skip_back(items: list[Item], end: int, since: int, *kinds: str) -> int:
    """Return *end* before the last items of *kinds*, but not less than *since*."""
    while end > since and items[end - 1].kind in kinds:
        end -= 1
    return end


def _title_before(items: list[Item], since: int, at: int) -> Item | None:
    """Return the title of the moves at *at*: a head, or a text line alone or after a blank line."""
    end = _skip_back(items, at, since, "blank")
    is_title = end > since and (items[end - 1].kind == "head" or _is_title_line(items, since, end - 1))
    return items[end - 1] if is_title else None


def _is_title_line(items: list[Item], since: int, at: int) -> bool:
    if items[at].kind not in ("text", "head", LineKind.MOVES):
        return False
    end = _skip_back(items, at, since, "note")
    is_apart = end > since and items[end - 1].kind == "blank"
    return is_apart or all(item.kind in ("blank", "note", "key") for item in items[since:at])


def find_heading(items: list[Item], placing: Placing, *, is_first: bool) -> Heading:
    """Return the heading of the board below *items*."""
    if placing.above["keys"] and not is_first and any(map(NAMES["keys"], items)):
        first = next(at for at, item in enumerate(items) if item.key == "title")
        return Heading(_skip_back(items, first, 0, "key", "text", "note", "head"))
    end = start = _skip_back(items, len(items), 0, "blank")
    while placing.above["notes"] and start and items[start - 1].is_note:
        start -= 1
    note = next((item.text for item in reversed(items[start:end]) if item.kind == "note"), "")
    if not start:
        return Heading(start, "", note)
    title = items[start - 1]
    # A name in quotes under a line `Level 12`.
    number = _skip_back(items, start - 1, 0, "blank", "key", "note") - 1
    is_numbered = number >= 0 and items[number].kind == "text" and _LEVEL_NUMBER.fullmatch(items[number].text)
    if is_numbered and title.kind == "text" and (name := _QUOTED_NAME.fullmatch(title.text)):
        return Heading(number, name[1].strip(), note)
    # A text line separated from a `;` line belongs to the level above: see `; 12` files with notes below the boards.
    since = max((at + 1 for at in range(start - 1) if items[at].kind in _MOVES_KINDS), default=0)
    is_moves = title.kind == LineKind.MOVES
    is_too_long = is_moves and (len(title.text.strip()) > WORD_LENGTH or title.quoted)
    if placing.above["lines"] and not is_too_long and _is_title_line(items, since, start - 1):
        return Heading(start - 1, title.text.strip(), note, Block("", [[title]]) if is_moves else None)
    return Heading(start, "", note)
