"""Read collections as text: .sok, plain XSB with titles above or below, JSoko, YSokoban, BoxMan.

`read_levels` yields one level at a time and holds only the text between two boards, so memory does not grow with the
file. Unreadable boards are yielded too, with line and column, and reading continues after them.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import NamedTuple

from solvers.errors import PuzzleError
from solvers.sokoban.formats.attempts import Attempt, Block, Budget, Kind, attempts_of
from solvers.sokoban.formats.boards import numbered_segments
from solvers.sokoban.formats.files.gaps import WORD_LENGTH, Gap, Heading, find_heading, split_gap
from solvers.sokoban.formats.files.items import Item, read_items
from solvers.sokoban.formats.files.placing import Placing
from solvers.sokoban.formats.files.wrappers import translate
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import Board, TextLine, Unreadable
from solvers.sokoban.level import Level
from solvers.sokoban.problems import Problem

MAX_TITLE = 200
MAX_NOTES = 20_000
MAX_BLOCKS = 200  # blocks of moves under one level
_MAX_GAP = 4_194_304  # characters between two boards; beyond that only the last lines are read
_GAP_TAIL = 50  # lines
_WEIGHED_LEVELS = 2_000  # levels over which it is decided whether names are above or below their boards
_WEIGHED_TEXT = 4_194_304  # characters between them


@dataclass(frozen=True)
class Entry:
    """A level found in a file: its board, which begins at *line*, its title and other text, and its replayed moves."""

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
        return tuple(attempt for attempt in self.attempts if attempt.kind == Kind.SOLUTION)


@dataclass(frozen=True)
class Unread:
    """An unreadable board in a file; *error* has the reason, line and column."""

    number: int
    line: int
    error: PuzzleError
    title: str = ""


@dataclass
class Header:
    """Metadata of a file, filled while its levels are read."""

    name: str = ""
    author: str = ""
    notes: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)


@dataclass(frozen=True)
class Collection:
    """A complete file of levels."""

    name: str = ""
    author: str = ""
    notes: str = ""
    keys: dict[str, str] = field(default_factory=dict, hash=False)
    entries: tuple[Entry, ...] = ()
    unread: tuple[Unread, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Stated:
    """A person's choices for the reading of a file; what is empty is decided by the file.

    *alphabet* is a key of `files.wrappers.ALPHABETS`.
    """

    encoding: str = ""
    names_above: bool | None = None
    alphabet: str = ""


class TextGap(NamedTuple):
    """The classified lines before *board*, or after the last board if it is None."""

    items: list[Item]
    board: Board | Unreadable | None
    remarks: list[Remark]


def read_levels(
    lines: Iterable[str], header: Header | None = None, stated: Stated | None = None, *, with_moves: bool = True
) -> Iterator[Entry | Unread]:
    """Yield the levels and unreadable boards in *lines*; fill *header* with the file's metadata.

    Moves under a level are replayed *with_moves*, and left out without.

    >>> [entry.title for entry in read_levels(["Level 1", "", "#####", "#@$.#", "#####"])]
    ['Level 1']

    Time O(text + steps), memory O(text between two boards).
    """
    header, stated = header or Header(), stated or Stated()
    numbered = enumerate((line.rstrip("\r\n") for line in lines), 1)
    return read_gaps(gaps_of(numbered, header, stated), header, stated, with_moves=with_moves)


def gaps_of(lines: Iterable[tuple[int, str]], header: Header, stated: Stated) -> Iterator[TextGap]:
    """Yield the boards in numbered lines, each with the text before it."""
    gap, size, tail = list[TextLine](), 0, deque[TextLine](maxlen=_GAP_TAIL)
    if stated.alphabet:
        lines = translate(lines, stated.alphabet)
    for segment in chain(numbered_segments(lines), [None]):
        if isinstance(segment, TextLine):
            size += len(segment.text) + 1
            (gap if size <= _MAX_GAP else tail).append(segment)
            continue
        if tail and segment:
            header.remarks.append(Remark(Notice.CUT, tail[-1].number, {"what": "the text between two boards"}))
        own: list[Remark] = []
        yield TextGap(read_items([*gap, *tail], own), segment, own)
        gap, size, tail = [], 0, deque(maxlen=_GAP_TAIL)


def read_gaps(
    gaps: Iterable[TextGap], header: Header, stated: Stated, *, with_moves: bool = True
) -> Iterator[Entry | Unread]:
    """Yield the levels of boards with the text around them, as `read_levels` does for lines."""
    gaps, weighed, size = iter(gaps), deque[TextGap](), 0
    for gap in gaps:
        weighed.append(gap)
        size += sum(len(item.text) for item in gap.items)
        if len(weighed) > _WEIGHED_LEVELS or size > _WEIGHED_TEXT:
            break
    if stated.names_above is None:
        placing = Placing.of([gap.items for gap in weighed], is_complete=weighed[-1].board is None)
    else:
        placing = Placing.stated(above=stated.names_above)
    if placing.unclear:
        header.remarks.append(Remark(Notice.TITLES_UNCLEAR, values={"place": placing.unclear}))
    is_titled = any(item.key == "title" for gap in islice(weighed, 1, None) for item in gap.items)
    reader = _Reader(header, placing, with_moves=with_moves)
    yield from reader.read(chain(_drain(weighed), gaps), is_titled=is_titled)


class _Reader:
    """State of reading one file."""

    def __init__(self, header: Header, placing: Placing, *, with_moves: bool) -> None:
        self.header = header
        self.placing = placing
        self.with_moves = with_moves
        self.budget = Budget()
        self.number = 0

    def read(self, gaps: Iterable[TextGap], *, is_titled: bool) -> Iterator[Entry | Unread]:
        board: Board | Unreadable | None = None
        heading = Heading()
        for read_gap in gaps:
            gap = self._assign(read_gap, board)
            remarks = [*read_gap.remarks, *gap.remarks]
            if board is None:
                self._read_header(gap, is_titled=is_titled)
                self.header.remarks += remarks
            elif isinstance(board, Board):
                yield self._build_entry(board, heading, gap, remarks)
            else:
                title = _title_of(_merge_keys([*heading.keys, *gap.keys])[0], heading, gap)
                yield Unread(self.number, board.number, board.error, _one_line(title))
            if read_gap.board is None:
                return
            board, heading = read_gap.board, gap.below
            self.number += 1

    def _assign(self, read_gap: TextGap, board: Board | Unreadable | None) -> Gap:
        """Assign the text of a gap to the boards around it."""
        items, placing = read_gap.items, self.placing
        if read_gap.board is None:
            return split_gap(items, len(items), placing)
        start, heading = find_heading(items, placing, is_first=board is None)
        if heading.perhaps_moves and isinstance(board, Board) and self._solves(board.level, heading.perhaps_moves):
            start, heading = len(items), Heading()
        gap = split_gap(items, start, placing)
        if heading.title:
            gap.below.notes = []
        gap.below.title, gap.below.note = heading.title, heading.note
        return gap

    def _solves(self, level: Level, block: Block) -> bool:
        return any(attempt.kind == Kind.SOLUTION for attempt in attempts_of(level, block, self.budget, []))

    def _read_header(self, gap: Gap, *, is_titled: bool) -> None:
        """Read the text before the first board. Its `Title:` names the file if that has no name and boards have own."""
        keys, remarks = _merge_keys(gap.keys)
        self.header.remarks += remarks
        title = keys.pop("title", "")
        self.header.name = keys.pop("collection", "")
        if is_titled and not self.header.name and not self.placing.keys_above:
            self.header.name = title
        elif title:
            gap.below.keys.append(Item("key", 0, title, "title"))
        self.header.author = _one_line(keys.pop("author", ""))
        notes = [*gap.notes, *(note for block in gap.blocks for note in [block.title, block.text, *block.notes])]
        self.header.notes = _join_notes([*notes, keys.pop("comment", "")], self.header.remarks, 0)
        self.header.keys = keys

    def _build_entry(self, board: Board, heading: Heading, gap: Gap, remarks: list[Remark]) -> Entry:
        keys, repeated = _merge_keys([*heading.keys, *gap.keys])
        remarks = [*board.remarks, *remarks, *repeated]
        attempts: list[Attempt] = []
        notes = [*heading.notes, *gap.notes]
        for block in gap.blocks[:MAX_BLOCKS] if self.with_moves else []:
            block_remarks: list[Remark] = []
            block_attempts = list(attempts_of(board.level, block, self.budget, block_remarks))
            if _is_plain_note(block, block_attempts):
                notes += [text for _, text in block.paragraphs[0]] + block.notes
                continue
            remarks += block_remarks
            own_notes = _join_notes(block.notes, remarks, block.line)
            attempts += [
                replace(
                    attempt, notes=own_notes if attempt is block_attempts[-1] else "", title=_one_line(attempt.title)
                )
                for attempt in block_attempts
            ]
        if len(gap.blocks) > MAX_BLOCKS:
            remarks.append(Remark(Notice.TOO_MANY_MOVES, gap.blocks[MAX_BLOCKS].line))
        reason = _other_game(keys.get("game") or self.header.keys.get("game", ""), board.level)
        if reason:
            remarks.append(Remark(Notice.NOT_CLASSIC, board.number, {"reason": reason}))
        comments = _join_notes([*notes, keys.pop("comment", "")], remarks, board.number)
        title = _truncate(_title_of(keys, heading, gap), MAX_TITLE, "the title", remarks, board.number)
        author = _truncate(keys.pop("author", self.header.author), MAX_TITLE, "the author", remarks, board.number)
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


def _title_of(keys: dict[str, str], heading: Heading, gap: Gap) -> str:
    return keys.pop("title", "") or heading.title or heading.note or gap.title


def _is_plain_note(block: Block, attempts: list[Attempt]) -> bool:
    """Return whether *block* is a word in a comment that happens to consist of move letters."""
    if block.title or len(block.text) > WORD_LENGTH or any(attempt.kind == Kind.SOLUTION for attempt in attempts):
        return False
    return len(block.paragraphs) == 1 and len(block.paragraphs[0]) == 1


def _drain(gaps: deque[TextGap]) -> Iterator[TextGap]:
    """Yield *gaps* and let go of each, as boards cache what a replay needs."""
    while gaps:
        yield gaps.popleft()


def _merge_keys(items: list[Item]) -> tuple[dict[str, str], list[Remark]]:
    """Return each key's first value, and a remark for each later, different value. Comments are joined."""
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


def _join_notes(lines: list[str], remarks: list[Remark], line: int) -> str:
    return _truncate("\n".join(lines).strip("\n"), MAX_NOTES, "the text", remarks, line)


def _truncate(text: str, limit: int, part_name: str, remarks: list[Remark], line: int) -> str:
    if len(text) <= limit:
        return text
    remarks.append(Remark(Notice.CUT, line, {"what": part_name}))
    return text[:limit]


def _one_line(text: str) -> str:
    return " ".join(text.split("\n")).strip()[:MAX_TITLE]
