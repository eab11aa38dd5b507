"""Assign the text between two boards of a collection to the level above or to the level below."""

import re
from dataclasses import dataclass, field
from itertools import dropwhile

from solvers.sokoban.formats.attempts import Block
from solvers.sokoban.formats.files.items import Item
from solvers.sokoban.formats.files.placing import Placing, first_paragraph, is_note_line, is_text_line, is_title_key
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
_REFUSED = {LineKind.REVERSE: Notice.REVERSE_MODE, LineKind.PUSHERS: Notice.SEVERAL_PUSHERS}


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


def _name_below(items: list[Item], placing: Placing) -> Item | None:
    """Return the name of the level above in the first paragraph of *items*, if names are below boards."""
    paragraph = first_paragraph(list(dropwhile(lambda item: item.kind == "blank", items)))
    kinds = (is_note_line, placing.notes_above), (is_text_line, placing.lines_above)
    return next((item for is_name, above in kinds if not above for item in paragraph if is_name(item)), None)


def split_gap(items: list[Item], heading: int, placing: Placing) -> Gap:
    """Assign the items before *heading* to the level above, and the rest to the board below."""
    gap = Gap()
    if name := _name_below(items[:heading], placing):
        gap.title = name.text.strip()
        items, heading = [item for item in items if item is not name], heading - 1
    for item in items[heading:]:
        if item.kind == "key":
            gap.below.keys.append(item)
        elif item.kind not in ("blank", "note") and not _QUOTED_NAME.fullmatch(item.text):
            gap.below.notes.append(item.text)
    items = items[:heading]
    at = since = 0  # since: start of the text after the last moves
    while at < len(items):
        item = items[at]
        notes = gap.blocks[-1].notes if gap.blocks else gap.notes
        if item.kind in _MOVES_KINDS:
            title = _title_before(items, since, at)
            if title is not None:  # it is the last of the notes
                del notes[max((place for place, note in enumerate(notes) if note), default=0) :]
            block, at = _read_block(items, at, items[title].text.strip() if title is not None else "")
            since = at
            if block.refused:
                gap.remarks.append(Remark(_REFUSED[LineKind(block.refused)], item.number))
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


def _read_block(items: list[Item], at: int, title: str) -> tuple[Block, int]:
    """Return the block of moves that begins at *at*, and its end."""
    block = Block(title, [])
    quoted, is_new = items[at].quoted, True
    end = at
    while at < len(items):
        item = items[at]
        if item.kind == "blank":
            is_new = True
        elif item.kind in _MOVES_KINDS and item.quoted == quoted:
            if item.kind != LineKind.MOVES:
                block.refused = block.refused or item.kind
            if is_new:
                block.paragraphs.append([])
            is_new = False
            block.paragraphs[-1].append((item.number, item.text))
            end = at + 1
        else:
            break
        at += 1
    return block, end


def _title_before(items: list[Item], since: int, at: int) -> int | None:
    """Return the index of the title of the moves at *at*: a head, or a text line alone or after a blank line."""
    before = at - 1
    while before >= since and items[before].kind == "blank":
        before -= 1
    if before < since:
        return None
    return before if items[before].kind == "head" or _is_title_line(items, since, before) else None


def _is_title_line(items: list[Item], since: int, at: int) -> bool:
    if items[at].kind not in ("text", "head", LineKind.MOVES):
        return False
    before = at - 1
    while before >= since and items[before].kind == "note":
        before -= 1
    if before >= since and items[before].kind == "blank":
        return True
    return all(item.kind in ("blank", "note", "key") for item in items[since:at])


def _name_under_number(items: list[Item], end: int) -> tuple[int, str] | None:
    """Return the index of a line `Level 12` above the level's quoted name, just before *end*, and the name; or None."""
    name = _QUOTED_NAME.fullmatch(items[end - 1].text) if end and items[end - 1].kind == "text" else None
    at = end - 2
    while name and at >= 0 and items[at].kind in ("blank", "key", "note"):
        at -= 1
    is_numbered = at >= 0 and items[at].kind == "text" and _LEVEL_NUMBER.fullmatch(items[at].text)
    return (at, name[1].strip()) if name and is_numbered else None


def find_heading(items: list[Item], placing: Placing, *, is_first: bool) -> tuple[int, Heading]:
    """Return the index in *items* where the heading of the board below begins, and its title line and `;` line."""
    heading = Heading()
    if placing.keys_above and not is_first and any(map(is_title_key, items)):
        first = next(at for at, item in enumerate(items) if item.key == "title")
        while first and items[first - 1].kind in ("key", "text", "note", "head"):
            first -= 1
        return first, heading
    end = len(items)
    while end and items[end - 1].kind == "blank":
        end -= 1
    notes = end
    while placing.notes_above and notes and (items[notes - 1].kind == "note" or items[notes - 1].is_note):
        notes -= 1
    heading.note = next((item.text for item in reversed(items[notes:end]) if item.kind == "note"), "")
    if numbered_name := _name_under_number(items, notes):
        heading.title = numbered_name[1]
        return numbered_name[0], heading
    # A text line separated from a `;` line belongs to the level above: see `; 12` files with notes below the boards.
    since = max((at + 1 for at in range(notes - 1) if items[at].kind in _MOVES_KINDS), default=0)
    if placing.lines_above and notes > since and _is_title_line(items, since, notes - 1):
        title = items[notes - 1]
        if title.kind != LineKind.MOVES:
            heading.title = title.text.strip()
            return notes - 1, heading
        if len(title.text.strip()) <= WORD_LENGTH and not title.quoted:
            heading.title = title.text.strip()
            heading.perhaps_moves = Block("", [[(title.number, title.text)]])
            return notes - 1, heading
    return notes, heading
