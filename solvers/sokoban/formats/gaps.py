"""Assign the text between two boards of a collection to the level above or to the level below."""

import re
from dataclasses import dataclass, field

from solvers.sokoban.formats.attempts import Block
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import TextLine
from solvers.sokoban.formats.text import fold_moves, quotes
from solvers.sokoban.reading.movelines import LineKind, inline_moves_start, is_head, kind_of

WORD_LENGTH = 16  # at most this many move letters on one line may be a title such as "Dull"

_KEY_NAMES = (
    "collection", "title", "authors", "author comment", "author", "comment[-_]end", "comment", "email", "homepage",
    "url", "copyright", "difficulty", "date created", "date of last change", "date", "game", "view", "id",
    "solution name", "own solution", "solution comment end", "solution comment", "solver", "optimizer", "optimality",
    "time", "boxorder", "goalorder",
)  # fmt: skip
_KEY = re.compile(rf"[ \t]*({'|'.join(_KEY_NAMES)})[ \t]*[:：][ \t]*(.*)", re.IGNORECASE)
_OF_MOVES = frozenset(
    {
        "solution name", "own solution", "solution comment", "solution comment end", "solver", "optimizer",
        "optimality", "time", "date", "date created",
    }
)  # fmt: skip
_LEVEL_NUMBER = re.compile(r"[ \t]*level[ \t]*#?[0-9]{1,9}[ \t]*", re.IGNORECASE)
_QUOTED_NAME = re.compile(r"[ \t]*'(.*[^ \t'].*)'[ \t]*")
_MOVES_KINDS = frozenset(LineKind)
_REFUSED = {LineKind.REVERSE: Notice.REVERSE_MODE, LineKind.PUSHERS: Notice.SEVERAL_PUSHERS}


@dataclass(slots=True)
class Item:
    """A classified line between two boards: *kind* is blank, text, note (`;`), key, head or a LineKind."""

    kind: str
    number: int
    text: str = ""
    key: str = ""
    quoted: bool = False


def read_items(lines: list[TextLine], remarks: list[Remark]) -> list[Item]:
    """Classify the lines of a gap; a comment block becomes one key with all its lines."""
    lines = _unquote(lines)
    endings = _comment_ends(lines)
    items: list[Item] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        parsed = _parse_line(line)
        if parsed and parsed[0].key == "comment":
            end = endings.get(at)
            if end is not None:
                text = "\n".join([parsed[0].text, *(inner_line.text for inner_line in lines[at + 1 : end])])
                parsed = [Item("key", line.number, text.strip("\n"), "comment")]
                at = end
            elif not parsed[0].text:
                remarks.append(Remark(Notice.OPEN_COMMENT, line.number))
                text = "\n".join(inner_line.text for inner_line in lines[at + 1 :])
                parsed = [Item("key", line.number, text.strip("\n"), "comment")]
                at = len(lines)
        items += parsed
        at += 1
    return items


def _unquote(lines: list[TextLine]) -> list[TextLine]:
    """Remove mail quotes if every line that is not blank has them."""
    nonblank_lines = [line for line in lines if line.text.strip()]
    if not nonblank_lines or not all(line.text.startswith(">") for line in nonblank_lines):
        return lines
    return [TextLine(line.number, line.text[quotes(line.text) :]) for line in lines]


def _comment_ends(lines: list[TextLine]) -> dict[int, int | None]:
    """Map each line that opens a comment to the line that ends it, or None if another comment begins before."""
    ends: dict[int, int | None] = {}
    end: int | None = None
    for at in range(len(lines) - 1, -1, -1):
        if ":" not in lines[at].text and "：" not in lines[at].text:
            continue
        match = _KEY.match(lines[at].text)
        name = match[1].lower().replace("_", "-") if match else ""
        if name == "comment-end":
            end = at
        elif name == "comment":
            ends[at] = end
            end = None
    return ends


def _parse_line(line: TextLine) -> list[Item]:
    """Classify one line: no item for a `::` comment, two items for a head followed by moves."""
    text = line.text
    if not text.strip():
        return [Item("blank", line.number)]
    if text.lstrip().startswith("::"):
        return []
    if text.lstrip().startswith(";"):
        return [Item("note", line.number, text.strip("; \t"))]
    if (":" in text or "：" in text) and (match := _KEY.match(text)):
        key = match[1].lower().replace("_", "-")
        return [Item("key", line.number, match[2].strip(), "author" if key == "authors" else key)]
    quoted = quotes(text)
    if kind := kind_of(fold_moves(text[quoted:])):
        return [Item(kind, line.number, text[quoted:], quoted=bool(quoted))]
    if is_head(text):
        moves_start = inline_moves_start(text)
        if moves_start is not None and (kind := kind_of(fold_moves(text[moves_start:]))):
            return [
                Item("head", line.number, text[: moves_start - 1].strip()),
                Item(kind, line.number, text[moves_start:]),
            ]
        return [Item("head", line.number, text.strip())]
    return [Item("text", line.number, text.rstrip())]


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


def is_above(items: list[Item]) -> bool | None:
    """Return whether the first `Title:` belongs to the board below: a blank line precedes it and none follows it."""
    first = next((at for at, item in enumerate(items) if item.key == "title"), None)
    if first is None:
        return None
    kinds = [item.kind for item in items]
    return "blank" in kinds[:first] and "blank" not in kinds[first:]


def split_gap(items: list[Item], heading: int) -> Gap:
    """Assign the items before *heading* to the level above, and the rest to the board below."""
    gap = Gap()
    for item in items[heading:]:
        if item.kind == "key":
            gap.below.keys.append(item)
        elif item.kind != "blank" and item.kind != "note":
            gap.below.notes.append(item.text)
    items = items[:heading]
    blocks, titles = _find_blocks(items)
    at = 0
    while at < len(items):
        item = items[at]
        notes = gap.blocks[-1].notes if gap.blocks else gap.notes
        if at in blocks:
            block, at = blocks[at]
            if block.refused:
                gap.remarks.append(Remark(_REFUSED[LineKind(block.refused)], item.number))
            else:
                gap.blocks.append(block)
            continue
        if item.kind == "key":
            if gap.blocks and item.key in _OF_MOVES:
                notes.append(f"{item.key.capitalize()}: {item.text}")
            else:
                gap.keys.append(item)
        elif item.kind == "blank":
            notes += [""] if notes and notes[-1] else []
        elif at not in titles:
            notes.append(item.text)
        at += 1
    return gap


def _find_blocks(items: list[Item]) -> tuple[dict[int, tuple[Block, int]], set[int]]:
    """Map the start of each block of moves to (block, end). Also return the items that are titles of blocks."""
    blocks: dict[int, tuple[Block, int]] = {}
    titles: set[int] = set()
    at = since = 0  # since: start of the text after the last moves
    while at < len(items):
        if items[at].kind not in _MOVES_KINDS:
            at += 1
            continue
        title = _title_before(items, since, at)
        if title is not None:
            titles.add(title)
        blocks[at] = _read_block(items, at, items[title].text.strip() if title is not None else "")
        at = since = blocks[at][1]
    return blocks, titles


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
    return all(item.kind in ("blank", "note") for item in items[since:at])


def _name_under_number(items: list[Item], end: int) -> tuple[int, str] | None:
    """Return the index of a line `Level 12` above the level's quoted name, just before *end*, and the name; or None."""
    name = _QUOTED_NAME.fullmatch(items[end - 1].text) if end and items[end - 1].kind == "text" else None
    at = end - 2
    while name and at >= 0 and items[at].kind == "blank":
        at -= 1
    is_numbered = at >= 0 and items[at].kind == "text" and _LEVEL_NUMBER.fullmatch(items[at].text)
    return (at, name[1].strip()) if name and is_numbered else None


def find_heading(items: list[Item], *, above: bool) -> tuple[int, Heading]:
    """Return the index in *items* where the heading of the board below begins, and its title line and `;` line."""
    heading = Heading()
    if above and any(item.key == "title" for item in items):
        first = next(at for at, item in enumerate(items) if item.key == "title")
        while first and items[first - 1].kind in ("key", "text", "note", "head"):
            first -= 1
        return first, heading
    end = len(items)
    while end and items[end - 1].kind == "blank":
        end -= 1
    notes = end
    while notes and items[notes - 1].kind == "note":
        notes -= 1
    if notes < end:
        heading.note = items[end - 1].text
    if numbered_name := _name_under_number(items, notes):
        heading.title = numbered_name[1]
        return numbered_name[0], heading
    # A text line separated from a `;` line belongs to the level above: see `; 12` files with notes below the boards.
    since = max((at + 1 for at in range(notes - 1) if items[at].kind in _MOVES_KINDS), default=0)
    if notes and notes > since and _is_title_line(items, since, notes - 1):
        title = items[notes - 1]
        if title.kind != LineKind.MOVES:
            heading.title = title.text.strip()
            return notes - 1, heading
        if len(title.text.strip()) <= WORD_LENGTH and not title.quoted:
            heading.title = title.text.strip()
            heading.perhaps_moves = Block("", [[(title.number, title.text)]])
            return notes - 1, heading
    return notes, heading
