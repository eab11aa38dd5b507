"""Read collections as text: .sok, plain XSB with titles above or below, JSoko, YSokoban, BoxMan (formats.md 5, F5).

`read_levels` yields one level after the other and holds no more than the text between two boards, so the memory does
not grow with the file. What cannot be read is yielded too, with line and column, and the rest is read on.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from solvers.errors import PuzzleError
from solvers.sokoban.formats.attempts import Attempt, Block, Budget, Kind, attempts_of
from solvers.sokoban.formats.boards import Board, TextLine, Unreadable, segments
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.text import fold_moves, quotes
from solvers.sokoban.level import Level, Problem
from solvers.sokoban.movelines import LineKind, inline_at, is_head, kind_of

MAX_TITLE = 200
MAX_NOTES = 20_000
MAX_BLOCKS = 200  # of moves under one level
_MAX_GAP = 4_194_304  # characters between two boards; of more only the end is read
_GAP_TAIL = 50  # lines
_LOOKAHEAD = 100  # levels that may have to be read before it is clear whose title a leading "Title:" is
_WORD_LENGTH = 16  # letters of moves on one line, not more than these, may be a title such as "Dull"


@dataclass(frozen=True)
class Entry:
    """A level found in a file: the board from *line* on, what stands with it, and its replayed moves."""

    number: int
    line: int
    level: Level
    title: str = ""
    author: str = ""
    comments: str = ""
    keys: dict[str, str] = field(default_factory=dict, hash=False)
    attempts: tuple[Attempt, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self.level.problems

    @property
    def solutions(self) -> tuple[Attempt, ...]:
        return tuple(attempt for attempt in self.attempts if attempt.kind is Kind.SOLUTION)

    @property
    def is_classic(self) -> bool:
        """Whether this is Sokoban with one player, and no relative such as Hexoban or Multiban."""
        return all(remark.code is not Notice.NOT_CLASSIC for remark in self.remarks)


@dataclass(frozen=True)
class Unread:
    """A board in a file that cannot be read; *error* says why, with line and column."""

    number: int
    line: int
    error: PuzzleError
    title: str = ""


@dataclass
class Header:
    """What a file says of itself; filled while its levels are read."""

    name: str = ""
    author: str = ""
    notes: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)


@dataclass(frozen=True)
class Collection:
    """A file of levels, read whole."""

    name: str = ""
    author: str = ""
    notes: str = ""
    keys: dict[str, str] = field(default_factory=dict, hash=False)
    entries: tuple[Entry, ...] = ()
    unread: tuple[Unread, ...] = ()
    remarks: tuple[Remark, ...] = ()


def read_levels(lines: Iterable[str], header: Header | None = None) -> Iterator[Entry | Unread]:
    """Yield the levels that *lines* hold, and what cannot be read; fill *header* with what the file says of itself.

    >>> [entry.title for entry in read_levels(["Level 1", "", "#####", "#@$.#", "#####"])]
    ['Level 1']

    Time O(text + steps), memory O(text between two boards).
    """
    return _Reader(header if header is not None else Header()).read(lines)


# The text between two boards


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
_MOVES_KINDS = frozenset(LineKind)
_REFUSED = {LineKind.REVERSE: Notice.REVERSE_MODE, LineKind.PUSHERS: Notice.SEVERAL_PUSHERS}


@dataclass(slots=True)
class _Item:
    """A line between two boards, read: *kind* is blank, text, note (`;`), key, head or a LineKind."""

    kind: str
    number: int
    text: str = ""
    key: str = ""
    quoted: bool = False


def _items(lines: list[TextLine], remarks: list[Remark]) -> list[_Item]:
    """Read the lines of a gap; comment blocks become one key with all their lines."""
    lines = _unquoted(lines)
    endings = _comment_ends(lines)
    items: list[_Item] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        found = _items_of(line)
        if found and found[0].key == "comment":
            end = endings.get(at)
            if end is not None:
                text = "\n".join([found[0].text, *(between.text for between in lines[at + 1 : end])])
                found = [_Item("key", line.number, text.strip("\n"), "comment")]
                at = end
            elif not found[0].text:
                remarks.append(Remark(Notice.OPEN_COMMENT, line.number))
                text = "\n".join(between.text for between in lines[at + 1 :])
                found = [_Item("key", line.number, text.strip("\n"), "comment")]
                at = len(lines)
        items += found
        at += 1
    return items


def _unquoted(lines: list[TextLine]) -> list[TextLine]:
    """Without mail quotes, if every line that is not blank has them (F3.4)."""
    filled = [line for line in lines if line.text.strip()]
    if not filled or not all(line.text.startswith(">") for line in filled):
        return lines
    return [TextLine(line.number, line.text[quotes(line.text) :]) for line in lines]


def _comment_ends(lines: list[TextLine]) -> dict[int, int | None]:
    """For each line that opens a comment, the line that ends it; None if another one begins before."""
    ends: dict[int, int | None] = {}
    end: int | None = None
    for at in range(len(lines) - 1, -1, -1):
        if ":" not in lines[at].text and "：" not in lines[at].text:
            continue
        found = _KEY.match(lines[at].text)
        name = found[1].lower().replace("_", "-") if found else ""
        if name == "comment-end":
            end = at
        elif name == "comment":
            ends[at] = end
            end = None
    return ends


def _items_of(line: TextLine) -> list[_Item]:
    """Read one line; none for a `::` comment, two for a head with moves behind it."""
    text = line.text
    if not text.strip():
        return [_Item("blank", line.number)]
    if text.lstrip().startswith("::"):
        return []
    if text.lstrip().startswith(";"):
        return [_Item("note", line.number, text.strip("; \t"))]
    if (":" in text or "：" in text) and (found := _KEY.match(text)):
        key = found[1].lower().replace("_", "-")
        return [_Item("key", line.number, found[2].strip(), "author" if key == "authors" else key)]
    quoted = quotes(text)
    if kind := kind_of(fold_moves(text[quoted:])):
        return [_Item(kind, line.number, text[quoted:], quoted=bool(quoted))]
    if is_head(text):
        behind = inline_at(text)
        if behind is not None and (kind := kind_of(fold_moves(text[behind:]))):
            return [_Item("head", line.number, text[: behind - 1].strip()), _Item(kind, line.number, text[behind:])]
        return [_Item("head", line.number, text.strip())]
    return [_Item("text", line.number, text.rstrip())]


@dataclass
class _Heading:
    """What stands above a board and belongs to it: a title line, a `;` line, keys and notes of its own."""

    title: str = ""
    note: str = ""
    keys: list[_Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    perhaps_moves: Block | None = None  # the title line may also be moves


@dataclass
class _Gap:
    """What stands between two boards: for the level above, and for the one below."""

    keys: list[_Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    below: _Heading = field(default_factory=_Heading)
    remarks: list[Remark] = field(default_factory=list)


def _is_above(items: list[_Item]) -> bool | None:
    """Whether the first `Title:` belongs to the board below: parted from the one above and not from it (F5.5)."""
    first = next((at for at, item in enumerate(items) if item.key == "title"), None)
    if first is None:
        return None
    kinds = [item.kind for item in items]
    return "blank" in kinds[:first] and "blank" not in kinds[first:]


def _split(items: list[_Item], heading: int) -> _Gap:
    """Sort the items before *heading* to the level above, and the rest to the board below."""
    gap = _Gap()
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


def _find_blocks(items: list[_Item]) -> tuple[dict[int, tuple[Block, int]], set[int]]:
    """Map where a block of moves begins to the block and where it ends, and say which items are titles of blocks."""
    blocks: dict[int, tuple[Block, int]] = {}
    titles: set[int] = set()
    at = since = 0  # since: where the text behind the last moves begins
    while at < len(items):
        if items[at].kind not in _MOVES_KINDS:
            at += 1
            continue
        title = _title_before(items, since, at)
        if title is not None:
            titles.add(title)
        blocks[at] = _block(items, at, items[title].text.strip() if title is not None else "")
        at = since = blocks[at][1]
    return blocks, titles


def _block(items: list[_Item], at: int, title: str) -> tuple[Block, int]:
    """The block of moves that begins at *at*, and where it ends."""
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


def _title_before(items: list[_Item], since: int, at: int) -> int | None:
    """Where the title of the moves at *at* is: a head, or the last text line if a blank precedes it or it is alone."""
    before = at - 1
    while before >= since and items[before].kind == "blank":
        before -= 1
    if before < since:
        return None
    return before if items[before].kind == "head" or _is_title_line(items, since, before) else None


def _is_title_line(items: list[_Item], since: int, at: int) -> bool:
    if items[at].kind not in ("text", "head", LineKind.MOVES):
        return False
    before = at - 1
    while before >= since and items[before].kind == "note":
        before -= 1
    if before >= since and items[before].kind == "blank":
        return True
    return all(item.kind in ("blank", "note") for item in items[since:at])


def _heading(items: list[_Item], *, above: bool) -> tuple[int, _Heading]:
    """Where the heading of the board below begins in *items*, and its title line and `;` line."""
    heading = _Heading()
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
    # A text line parted from a `;` line belongs to what stands above: see `; 12` files with notes below the boards.
    since = max((at + 1 for at in range(notes - 1) if items[at].kind in _MOVES_KINDS), default=0)
    if notes and notes > since and _is_title_line(items, since, notes - 1):
        title = items[notes - 1]
        if title.kind != LineKind.MOVES:
            heading.title = title.text.strip()
            return notes - 1, heading
        if len(title.text.strip()) <= _WORD_LENGTH and not title.quoted:
            heading.title = title.text.strip()
            heading.perhaps_moves = Block("", [[(title.number, title.text)]])
            return notes - 1, heading
    return notes, heading


# The file


class _Reader:
    """The state of reading one file."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.budget = Budget()
        self.number = 0
        self.above: bool | None = None  # where titles stand; None while it is not known
        self.leading_title = ""  # of a "Title:" before the first board
        self.titled = 0  # the first level that has a "Title:" of its own

    def read(self, lines: Iterable[str]) -> Iterator[Entry | Unread]:
        found = self._entries(lines)
        held: list[Entry | Unread] = []
        for entry in found:
            held.append(entry)
            if not self.leading_title or self.titled or len(held) == _LOOKAHEAD:
                break
        if held and self.leading_title:
            held[0] = self._settle_leading_title(held[0])
        yield from held
        yield from found

    def _settle_leading_title(self, first: Entry | Unread) -> Entry | Unread:
        """A `Title:` before the first board is the file's if it has no other name and boards have their own (F5.5)."""
        if self.titled and not self.header.name and not self.above:
            self.header.name = self.leading_title
            return first
        return first if self.titled == 1 else replace(first, title=_one_line(self.leading_title))

    def _entries(self, lines: Iterable[str]) -> Iterator[Entry | Unread]:
        board: Board | Unreadable | None = None
        heading = _Heading()
        for gap_lines, below in _gaps(lines, self.header.remarks):
            remarks: list[Remark] = []
            items = _items(gap_lines, remarks)
            gap = self._gap(items, board, is_last=below is None)
            remarks += gap.remarks
            if board is None:
                self._read_header(gap)
                self.header.remarks += remarks
            elif isinstance(board, Board):
                yield self._entry(board, heading, gap, remarks)
            else:
                yield Unread(self.number, board.number, board.error, heading.title or heading.note)
            if below is None:
                return
            board, heading = below, gap.below
            self.number += 1

    def _gap(self, items: list[_Item], board: Board | Unreadable | None, *, is_last: bool) -> _Gap:
        if is_last:
            return _split(items, len(items))
        if self.above is None and board is not None:
            self.above = _is_above(items)
        start, heading = _heading(items, above=bool(self.above) and board is not None)
        if heading.perhaps_moves and isinstance(board, Board) and self._solves(board.level, heading.perhaps_moves):
            start, heading = len(items), _Heading()
        gap = _split(items, start)
        if heading.title:
            gap.below.notes = []
        gap.below.title, gap.below.note = heading.title, heading.note
        return gap

    def _solves(self, level: Level, block: Block) -> bool:
        return any(attempt.kind is Kind.SOLUTION for attempt in attempts_of(level, block, self.budget, []))

    def _read_header(self, gap: _Gap) -> None:
        keys, remarks = _first_values(gap.keys)
        self.header.remarks += remarks
        self.leading_title = keys.pop("title", "")
        self.header.name = keys.pop("collection", "")
        self.header.author = _one_line(keys.pop("author", ""))
        notes = [*gap.notes, *(note for block in gap.blocks for note in [block.title, block.text, *block.notes])]
        self.header.notes = _notes([*notes, keys.pop("comment", "")], self.header.remarks, 0)
        self.header.keys = keys

    def _entry(self, board: Board, heading: _Heading, gap: _Gap, remarks: list[Remark]) -> Entry:
        keys, repeated = _first_values([*heading.keys, *gap.keys])
        remarks = [*board.remarks, *remarks, *repeated]
        attempts: list[Attempt] = []
        notes = [*heading.notes, *gap.notes]
        for block in gap.blocks[:MAX_BLOCKS]:
            noticed: list[Remark] = []
            found = list(attempts_of(board.level, block, self.budget, noticed))
            if _is_aside(block, found):
                notes += [text for _, text in block.paragraphs[0]] + block.notes
                continue
            remarks += noticed
            own_notes = _notes(block.notes, remarks, block.line)
            attempts += [
                replace(attempt, notes=own_notes if attempt is found[-1] else "", title=_one_line(attempt.title))
                for attempt in found
            ]
        if len(gap.blocks) > MAX_BLOCKS:
            remarks.append(Remark(Notice.TOO_MANY_MOVES, gap.blocks[MAX_BLOCKS].line))
        reason = _other_game(keys.get("game") or self.header.keys.get("game", ""), board.level)
        if reason:
            remarks.append(Remark(Notice.NOT_CLASSIC, board.number, {"reason": reason}))
        comments = _notes([*notes, keys.pop("comment", "")], remarks, board.number)
        if "title" in keys:
            self.titled = self.titled or self.number
        title = keys.pop("title", "") or heading.title or heading.note
        title = _cut(title, MAX_TITLE, "the title", remarks, board.number)
        author = _cut(keys.pop("author", self.header.author), MAX_TITLE, "the author", remarks, board.number)
        return Entry(
            self.number,
            board.number,
            board.level,
            _one_line(title),
            _one_line(author),
            comments,
            keys,
            tuple(attempts),
            tuple(remarks),
        )


def _is_aside(block: Block, found: list[Attempt]) -> bool:
    """Whether *block* is a word of a comment that happens to have the letters of moves only."""
    if block.title or len(block.text) > _WORD_LENGTH or any(attempt.kind is Kind.SOLUTION for attempt in found):
        return False
    return len(block.paragraphs) == 1 and len(block.paragraphs[0]) == 1


def _gaps(lines: Iterable[str], remarks: list[Remark]) -> Iterator[tuple[list[TextLine], Board | Unreadable | None]]:
    """Yield the text before each board with the board, and the text after the last one with None."""
    gap, size, tail = list[TextLine](), 0, deque[TextLine](maxlen=_GAP_TAIL)
    for segment in segments(lines):
        if isinstance(segment, TextLine):
            size += len(segment.text) + 1
            (gap if size <= _MAX_GAP else tail).append(segment)
            continue
        if tail:
            remarks.append(Remark(Notice.CUT, tail[-1].number, {"what": "the text between two boards"}))
        yield [*gap, *tail], segment
        gap, size, tail = [], 0, deque(maxlen=_GAP_TAIL)
    yield [*gap, *tail], None


def _first_values(items: list[_Item]) -> tuple[dict[str, str], list[Remark]]:
    """The value of each key: the first one counts, another one later is a remark. Comments are joined."""
    keys: dict[str, str] = {}
    remarks: list[Remark] = []
    comments: list[str] = []
    for item in items:
        if item.key == "comment":
            comments.append(item.text)
        elif item.key == "comment-end":
            continue
        elif not keys.get(item.key):
            keys[item.key] = item.text[:MAX_NOTES]
        elif item.text and keys[item.key] != item.text:
            remarks.append(Remark(Notice.REPEATED_KEY, item.number, {"key": item.key}))
    if comments:
        keys["comment"] = "\n".join(comments)
    return {key: text for key, text in keys.items() if text}, remarks


def _other_game(game: str, level: Level) -> str:
    if game and "sokoban" not in game.lower():
        return game[:MAX_TITLE]
    return f"{len(level.players)} players" if len(level.players) > 1 else ""


def _notes(lines: list[str], remarks: list[Remark], line: int) -> str:
    return _cut("\n".join(lines).strip("\n"), MAX_NOTES, "the text", remarks, line)


def _cut(text: str, limit: int, what: str, remarks: list[Remark], line: int) -> str:
    if len(text) <= limit:
        return text
    remarks.append(Remark(Notice.CUT, line, {"what": what}))
    return text[:limit]


def _one_line(text: str) -> str:
    return " ".join(text.split("\n")).strip()[:MAX_TITLE]
