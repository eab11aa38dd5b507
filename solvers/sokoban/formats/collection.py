"""Read collections as text: .sok, plain XSB with titles above or below, JSoko, YSokoban, BoxMan."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import NamedTuple

from solvers.errors import PuzzleError
from solvers.sokoban.formats.attempts import MAX_TITLE, Attempt, Block, Budget, Kind, attempts_of
from solvers.sokoban.formats.boards import segments
from solvers.sokoban.formats.files.gaps import (
    NAMES,
    WORD_LENGTH,
    Heading,
    LevelText,
    Placing,
    find_heading,
    split_gap,
)
from solvers.sokoban.formats.files.items import Item, read_items
from solvers.sokoban.formats.files.wrappers import translate
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import Board
from solvers.sokoban.formats.runs import TextLine, Unreadable, number_lines
from solvers.sokoban.level import Level
from solvers.sokoban.problems import Problem

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
    """An unreadable board in a file."""

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
    remarks: tuple[Remark, ...] = ()


@dataclass(repr=False)
class Collection(Header):
    """A complete file of levels, in *entries*; `len`, iteration and indices are theirs."""

    entries: tuple[Entry, ...] = ()
    unread: tuple[Unread, ...] = ()

    def __len__(self) -> int:
        return len(self.entries)

    def __bool__(self) -> bool:
        """Return True: a file without levels is still a file, which may have remarks."""
        return True

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __getitem__(self, index: int) -> Entry:
        return self.entries[index]

    def __repr__(self) -> str:
        solved = sum(bool(entry.solutions) for entry in self)
        unread = f", {len(self.unread)} unread" if self.unread else ""
        return f"<Collection {self.name!r}: {len(self)} levels, {solved} with a solution{unread}>"


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

    >>> [entry.title for entry in read_levels(["Level 1", "", "#####", "#@$.#", "#####"])]
    ['Level 1']

    Moves under a level are replayed *with_moves*, and left out without. Memory O(text between two boards).
    """
    header, stated = header or Header(), stated or Stated()
    return read_gaps(gaps_of(number_lines(lines), header, stated), header, stated, with_moves=with_moves)


def gaps_of(lines: Iterable[TextLine], header: Header, stated: Stated) -> Iterator[TextGap]:
    """Yield the boards in *lines*, each with the text before it."""
    gap, size, tail = list[TextLine](), 0, deque[TextLine](maxlen=_GAP_TAIL)
    if stated.alphabet:
        lines = translate(lines, stated.alphabet)
    for segment in chain(segments(lines), [None]):
        if isinstance(segment, TextLine):
            size += len(segment.text) + 1
            (gap if size <= _MAX_GAP else tail).append(segment)
            continue
        if tail and segment:
            header.remarks += (Remark(Notice.CUT, tail[-1].number, {"what": "the text between two boards"}),)
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
        placing = Placing(dict.fromkeys(NAMES, stated.names_above))
    if placing.unclear:
        header.remarks += (Remark(Notice.TITLES_UNCLEAR, values={"place": placing.unclear}),)
    is_titled = any(item.key == "title" for gap in islice(weighed, 1, None) for item in gap.items)
    reader = _Reader(header, placing, is_titled, with_moves)
    # Each gap is released once it is read, as boards cache what a replay needs.
    yield from reader.read(chain((weighed.popleft() for _ in range(len(weighed))), gaps))


@dataclass
class _Reader:
    """State of reading one file. *is_titled*: the boards have a `Title:` of their own."""

    header: Header
    placing: Placing
    is_titled: bool
    with_moves: bool
    budget: Budget = field(default_factory=Budget)

    def read(self, gaps: Iterable[TextGap]) -> Iterator[Entry | Unread]:
        board: Board | Unreadable | None = None
        text = LevelText()
        for number, gap in enumerate(gaps):
            text.remarks += gap.remarks
            below = split_gap(gap.items, self._find_heading(gap, board), text, self.placing)
            keys = _merge_keys(text)
            if board is None:
                self._read_header(text, keys, below)
            else:
                title = keys.pop("title", "") or next(filter(None, text.titles), "")
                if isinstance(board, Board):
                    yield self._build_entry(number, board, title, keys, text)
                else:
                    yield Unread(number, board.number, board.error, title[:MAX_TITLE])
            board, text = gap.board, below

    def _find_heading(self, gap: TextGap, board: Board | Unreadable | None) -> Heading:
        heading = find_heading(gap.items, self.placing, is_first=board is None) if gap.board else None
        moves = heading.perhaps_moves if heading else None
        attempts = attempts_of(board.level, moves, self.budget, []) if moves and isinstance(board, Board) else []
        is_solved = any(attempt.kind == Kind.SOLUTION for attempt in attempts)
        return Heading(len(gap.items)) if is_solved or not heading else heading

    def _read_header(self, text: LevelText, keys: dict[str, str], below: LevelText) -> None:
        """Read the text before the first board. Its `Title:` names the file if that has no name and boards have own."""
        header = self.header
        title = keys.pop("title", "")
        header.name = keys.pop("collection", "")
        if self.is_titled and not header.name and not self.placing.above["keys"]:
            header.name = title
        elif title:
            below.keys.append(Item(0, title, "key", "title"))
        header.author = keys.pop("author", "")[:MAX_TITLE]
        notes = [*text.notes, *(note for block in text.blocks for note in [block.title, block.text, *block.notes])]
        header.notes = _join_notes([*notes, keys.pop("comment", "")], text.remarks, 0)
        header.remarks += tuple(text.remarks)
        header.keys = keys

    def _build_entry(self, number: int, board: Board, title: str, keys: dict[str, str], text: LevelText) -> Entry:
        notes, attempts, remarks = text.notes, list[Attempt](), [*board.remarks, *text.remarks]
        for block in text.blocks[:MAX_BLOCKS] if self.with_moves else []:
            block_remarks: list[Remark] = []
            found = attempts_of(board.level, block, self.budget, block_remarks)
            if _is_plain_note(block, found):
                notes += [block.text, *block.notes]
                continue
            remarks += block_remarks
            own_notes = _join_notes(block.notes, remarks, block.line)
            attempts += [*found[:-1], *(replace(attempt, notes=own_notes) for attempt in found[-1:])]
        if len(text.blocks) > MAX_BLOCKS:
            remarks.append(Remark(Notice.TOO_MANY_MOVES, text.blocks[MAX_BLOCKS].line))
        if reason := _other_game(keys.get("game") or self.header.keys.get("game", ""), board.level):
            remarks.append(Remark(Notice.NOT_CLASSIC, board.number, {"reason": reason}))
        comments = _join_notes([*notes, keys.pop("comment", "")], remarks, board.number)
        title = _truncate(title, MAX_TITLE, "the title", remarks, board.number).strip()
        author = keys.pop("author", self.header.author)
        author = _truncate(author, MAX_TITLE, "the author", remarks, board.number).strip()
        return Entry(number, board.number, board.level, title, author, comments, keys, tuple(attempts), tuple(remarks))


def _is_plain_note(block: Block, attempts: list[Attempt]) -> bool:
    """Return whether *block* is a word in a comment that happens to consist of move letters."""
    is_word = not block.title and len(block.lines) == 1 and len(block.text) <= WORD_LENGTH
    return is_word and all(attempt.kind != Kind.SOLUTION for attempt in attempts)


def _merge_keys(text: LevelText) -> dict[str, str]:
    """Return each key's first value; remark each later, different value. Comments are joined."""
    keys = {"comment": "\n".join(item.text for item in text.keys if item.key == "comment")}
    for item in text.keys:
        if item.key in ("comment", "comment-end"):
            continue
        if not keys.get(item.key):
            keys[item.key] = item.text[:MAX_NOTES]
        elif item.text and keys[item.key] != item.text:
            text.remarks.append(Remark(Notice.REPEATED_KEY, item.number, {"key": item.key}))
    return {key: value for key, value in keys.items() if value}


def _other_game(game: str, level: Level) -> str:
    if game and "sokoban" not in game.lower():
        return game[:MAX_TITLE]
    return f"{len(level.players)} players" if len(level.players) > 1 else ""


def _join_notes(lines: list[str], remarks: list[Remark], line: int) -> str:
    return _truncate("\n".join(lines).strip("\n"), MAX_NOTES, "the text", remarks, line)


def _truncate(text: str, limit: int, part_name: str, remarks: list[Remark], line: int) -> str:
    if len(text) > limit:
        remarks.append(Remark(Notice.CUT, line, {"what": part_name}))
    return text[:limit]
