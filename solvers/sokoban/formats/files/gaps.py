"""Assign the text between two boards of a collection to the level above or to the level below."""

import re
from dataclasses import dataclass, field
from itertools import dropwhile, groupby

from solvers.sokoban.formats.attempts import Block
from solvers.sokoban.formats.files.items import Item
from solvers.sokoban.formats.files.placing import NAMES, Placing, first_paragraph
from solvers.sokoban.formats.remarks import Notice, Remark
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


@dataclass
class Heading:
    """The text above a board that belongs to it: a title line, a `;` line, its keys and notes."""

    title: str = ""
    note: str = ""
    keys: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    perhaps_moves: Block | None = None  # the title line may also be moves


@dataclass
class Gap:
    """The text between two boards: fields of the level above, and *below* for the next board."""

    keys: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    below: Heading = field(default_factory=Heading)
    remarks: list[Remark] = field(default_factory=list)
    title: str = ""  # of the level above


def split_gap(items: list[Item], start: int, heading: Heading, placing: Placing) -> Gap:
    """Assign the items before *start* to the level above, and the rest to the *heading* of the board below."""
    gap = Gap(below=heading)
    paragraph = first_paragraph(dropwhile(lambda item: item.kind == "blank", items[:start]))
    kinds = [is_name for kind, is_name in NAMES.items() if kind != "keys" and not placing.above[kind]]
    name = next((item for is_name in kinds for item in paragraph if is_name(item)), None)
    if name:
        gap.title = name.text.strip()
        items, start = [item for item in items if item is not name], start - 1
    for item in items[start:]:
        if item.kind == "key":
            heading.keys.append(item)
        elif not heading.title and item.kind not in ("blank", "note") and not _QUOTED_NAME.fullmatch(item.text):
            heading.notes.append(item.text)
    items = items[:start]
    at = since = 0  # since: start of the text after the last moves
    while at < len(items):
        item = items[at]
        notes = gap.blocks[-1].notes if gap.blocks else gap.notes
        if item.kind in _MOVES_KINDS:
            title = _title_before(items, since, at)
            if title:  # it is the last of the notes
                del notes[max((place for place, note in enumerate(notes) if note), default=0) :]
            block, at = _read_block(items, at, title.text.strip() if title else "")
            since = at
            if block.refused:
                gap.remarks.append(Remark(_REFUSED[block.refused], item.number))
            else:
                gap.blocks.append(block)
            continue
        if item.kind == "key" and not (gap.blocks and item.key in _OF_MOVES):
            gap.keys.append(item)
        elif item.kind == "blank":
            notes += [""] if notes and notes[-1] else []
        else:
            notes.append(f"{item.key.capitalize()}: {item.text}" if item.kind == "key" else item.text)
        at += 1
    return gap


def _read_block(items: list[Item], start: int, title: str) -> tuple[Block, int]:
    """Return the block of moves that begins at *start*, and its end."""
    end = start
    while end < len(items) and (items[end].kind == "blank" or items[end].kind in _MOVES_KINDS):
        if items[end].kind != "blank" and items[end].quoted != items[start].quoted:
            break
        end += 1
    end = _skip_back(items, end, start, "blank")
    paragraphs = [
        [(item.number, item.text) for item in lines]
        for is_blank, lines in groupby(items[start:end], lambda item: item.kind == "blank")
        if not is_blank
    ]
    refused = next((item.kind for item in items[start:end] if item.kind in _REFUSED), "")
    return Block(title, paragraphs, refused=refused), end


def _skip_back(items: list[Item], end: int, since: int, *kinds: str) -> int:
    """Return *end* before the last items of *kinds*, but not less than *since*."""
    while end > since and items[end - 1].kind in kinds:
        end -= 1
    return end


def _title_before(items: list[Item], since: int, at: int) -> Item | None:
    """Return the title of the moves at *at*: a head, or a text line alone or after a blank line."""
    end = _skip_back(items, at, since, "blank")
    if end > since and (items[end - 1].kind == "head" or _is_title_line(items, since, end - 1)):
        return items[end - 1]
    return None


def _is_title_line(items: list[Item], since: int, at: int) -> bool:
    if items[at].kind not in ("text", "head", LineKind.MOVES):
        return False
    end = _skip_back(items, at, since, "note")
    if end > since and items[end - 1].kind == "blank":
        return True
    return all(item.kind in ("blank", "note", "key") for item in items[since:at])


def find_heading(items: list[Item], placing: Placing, *, is_first: bool) -> tuple[int, Heading]:
    """Return the index in *items* where the heading of the board below begins, and its title line and `;` line."""
    heading = Heading()
    if placing.above["keys"] and not is_first and any(map(NAMES["keys"], items)):
        first = next(at for at, item in enumerate(items) if item.key == "title")
        return _skip_back(items, first, 0, "key", "text", "note", "head"), heading
    end = notes = _skip_back(items, len(items), 0, "blank")
    while placing.above["notes"] and notes and items[notes - 1].is_note:
        notes -= 1
    heading.note = next((item.text for item in reversed(items[notes:end]) if item.kind == "note"), "")
    if not notes:
        return notes, heading
    title = items[notes - 1]
    # A name in quotes under a line `Level 12`.
    number = _skip_back(items, notes - 1, 0, "blank", "key", "note") - 1
    is_numbered = number >= 0 and items[number].kind == "text" and _LEVEL_NUMBER.fullmatch(items[number].text)
    name = _QUOTED_NAME.fullmatch(title.text) if is_numbered and title.kind == "text" else None
    if name:
        heading.title = name[1].strip()
        return number, heading
    # A text line separated from a `;` line belongs to the level above: see `; 12` files with notes below the boards.
    since = max((at + 1 for at in range(notes - 1) if items[at].kind in _MOVES_KINDS), default=0)
    is_moves = title.kind == LineKind.MOVES
    is_too_long = is_moves and (len(title.text.strip()) > WORD_LENGTH or title.quoted)
    if placing.above["lines"] and not is_too_long and _is_title_line(items, since, notes - 1):
        heading.title = title.text.strip()
        heading.perhaps_moves = Block("", [[(title.number, title.text)]]) if is_moves else None
        return notes - 1, heading
    return notes, heading
