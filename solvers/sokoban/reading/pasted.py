"""Find the lines of moves in pasted text: between notes, under heads, quoted (docs/reference/formats.md, *Moves*).

Folding keeps every character in place, so every index refers to the original text.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from solvers.errors import ForeignCharacter, PuzzleError, ReverseMode, SeveralPushers
from solvers.sokoban.formats.attempts import fold_for_parsing
from solvers.sokoban.formats.boards import segments
from solvers.sokoban.formats.runs import Board
from solvers.sokoban.formats.text import LINE_END, fold_moves, quotes
from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS, Moves
from solvers.sokoban.reading.counts import without_counts
from solvers.sokoban.reading.movelines import LineKind, inline_moves_start, is_head, kind_of

_BUDGET = 4  # times the limit: total steps to which all candidates of one text may decode
_MAX_BOARDS = 20
_MAX_BOARD_TEXT = 200_000  # characters searched for boards
_MAX_BOARD_LINES = 2_000
_TEXTS = 2  # cached readings: the same text is requested several times in a row


class Change(StrEnum):
    """Changes and omissions by the lenient reader, reported in the answer."""

    FULL_WIDTH = "full_width"
    ARROWS = "arrows"
    BLANKS = "blanks"
    COMMAS = "commas"
    QUOTES = "quotes"
    POSITION_MARK = "position_mark"
    OTHER_TEXT = "other_text"
    COUNTS = "counts"
    FILTERED = "filtered"
    CASE = "case"
    TAIL = "tail"


@dataclass(frozen=True)
class Candidate:
    """Part of a text that may be moves. *text* begins at index *start* of the whole text, characters in place.

    Has either *moves* or, if unreadable, *error*, whose index refers to the whole text.
    """

    text: str = field(repr=False)
    start: int
    moves: Moves | None = field(default=None, repr=False)
    error: PuzzleError | None = None


@dataclass
class _Block:
    """Consecutive lines of moves: the span of each line, and the indices of lines that begin paragraphs."""

    lines: list[tuple[int, int]]
    paragraphs: list[int]
    quoted: bool
    refusal: PuzzleError | None = None

    @property
    def start(self) -> int:
        return self.lines[0][0]

    @property
    def end(self) -> int:
        return self.lines[-1][1]

    def parts(self) -> Iterator[tuple[int, int]]:
        """Yield the span without the first line, which may be a title; then the span of each paragraph."""
        if len(self.lines) > 1:
            yield self.lines[1][0], self.end
        if len(self.paragraphs) > 1:
            for first, following in zip(self.paragraphs, [*self.paragraphs[1:], len(self.lines)], strict=True):
                yield self.lines[first][0], self.lines[following - 1][1]


_LINE = re.compile(r"[^\r\n]+")
_NOTHING = re.compile(r"[\s0-9()]*")
_QUOTE_MARKS = re.compile(r"^>(?: ?>){0,2}", re.MULTILINE)


class Finder:
    """Find the blocks of moves in a text and read candidates from them within a budget of steps."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.limit = limit
        self.steps_left = _BUDGET * limit
        self.folded = fold_moves(text)
        self.blocks = _cached_blocks(self.folded)
        self.is_without_counts = False

    def without_counts(self) -> "Finder | None":
        """Return a Finder without claimed counts and wrap marks, for the steps left; None if there are none."""
        finder = copy(self)
        finder.folded = _cached_without_counts(self.folded)
        finder.blocks = _cached_blocks(finder.folded)
        finder.is_without_counts = True
        return None if finder.folded == self.folded else finder

    def read(self, start: int, end: int) -> Candidate:
        """Read the moves from *start* to *end* of the text."""
        part = self.folded[start:end]
        if ">" in part:
            part = _QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), LINE_END.sub(_line_feeds, part))
        candidate = read_moves(fold_for_parsing(part), start, min(self.limit, self.steps_left))
        self.steps_left -= len(candidate.moves) if candidate.moves else 0
        return candidate

    def read_all(self, most: int) -> tuple[Candidate, ...]:
        """Read the first *most* blocks. Blocks of other games are skipped."""
        readable_blocks = [block for block in self.blocks if not block.refusal]
        return tuple(self.read(block.start, block.end) for block in readable_blocks[:most])

    def explain_missing(self, blocks: Sequence[Candidate]) -> PuzzleError | None:
        """Return why there is no candidate: a refused block or the first foreign character. None if blank."""
        if blocks:
            return None
        if refused := self.refusal:
            return refused
        if _NOTHING.fullmatch(self.folded):
            return None
        return read_moves(self.folded, 0, self.limit).error or _first_foreign_character(self.text)

    @property
    def refusal(self) -> PuzzleError | None:
        return next((block.refusal for block in self.blocks if block.refusal), None)

    def changes(self, covered: Sequence[tuple[int, int]]) -> tuple[Change, ...]:
        """Return the changes inside the spans *covered*, and whether there is other text outside them."""
        changes = dict.fromkeys(_find_changes(self.text, covered))
        return (*changes, Change.COUNTS) if self.is_without_counts else tuple(changes)


def _line_feeds(end: re.Match[str]) -> str:
    return "\n" * len(end[0])


@lru_cache(_TEXTS)
def _cached_without_counts(folded: str) -> str:
    return without_counts(folded)


@lru_cache(2 * _TEXTS)
def _cached_blocks(folded: str) -> tuple[_Block, ...]:
    return tuple(_find_blocks(folded))


def _find_blocks(folded: str) -> Iterator[_Block]:
    """Yield the blocks of moves of a folded text. Time O(text)."""
    block: _Block | None = None
    last_end = 0
    is_new = True
    for line in _LINE.finditer(folded):
        if not line[0].strip():
            is_new = True
            last_end = line.end()
            continue
        # Two line ends between two lines make a blank line.
        is_new = is_new or not LINE_END.fullmatch(folded, last_end, line.start())
        last_end = line.end()
        moves_start, quoted, kind = _classify_line(line[0])
        if block and (kind is None or moves_start or quoted != block.quoted):
            yield block
            block = None
        if kind is not None:
            span = (line.start() + moves_start, line.end())
            if block is None:
                block = _Block([span], [0], quoted)
            else:
                if is_new:
                    block.paragraphs.append(len(block.lines))
                block.lines.append(span)
            if kind != LineKind.MOVES and block.refusal is None:
                index = next(index for index in range(*span) if folded[index] in "[]{}")
                block.refusal = ReverseMode(index=index) if kind == LineKind.REVERSE else SeveralPushers(index=index)
        is_new = False
    if block:
        yield block


def _classify_line(line: str) -> tuple[int, bool, LineKind | None]:
    """Return where moves begin in *line* (after a head), whether the line is quoted, and the kind of moves."""
    quoted = quotes(line)
    if kind := kind_of(line[quoted:]):
        return 0, bool(quoted), kind
    if (
        is_head(line[quoted:])
        and (moves_start := inline_moves_start(line)) is not None
        and (kind := kind_of(line[moves_start:]))
    ):
        return moves_start, bool(quoted), kind
    return 0, bool(quoted), None


def read_moves(text: str, start: int, limit: int, *, run_length: bool = True) -> Candidate:
    try:
        return Candidate(text, start, _cached_parse(text, run_length=run_length, limit=limit))
    except PuzzleError as error:
        return Candidate(text, start, error=error.at(index=None if error.index is None else error.index + start))


@lru_cache(2 * _TEXTS)
def _cached_parse(text: str, *, run_length: bool, limit: int) -> Moves:
    return Moves.parse(text, run_length=run_length, limit=limit)


def _first_foreign_character(text: str) -> PuzzleError:
    """Return an error for the first character that is neither a move letter nor blank, if no line has moves."""
    index = next((at for at, character in enumerate(text) if character not in LETTERS and not character.isspace()), 0)
    return ForeignCharacter(index=index, character=text[index : index + 1])


_CHANGED = {
    Change.FULL_WIDTH: re.compile("[\uff01-\uff5e]"),
    Change.ARROWS: re.compile("[←↑→↓左上右下]"),
    Change.BLANKS: re.compile("[\u00a0\u00ad\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]"),
    Change.COMMAS: re.compile("[,\uff0c]"),
    Change.QUOTES: re.compile(r"^>", re.MULTILINE),
    Change.POSITION_MARK: re.compile(r"\*"),
}

_CHANGED_IN_ASCII = (Change.COMMAS, Change.QUOTES, Change.POSITION_MARK)


def _find_changes(text: str, covered: Sequence[tuple[int, int]]) -> Iterator[Change]:
    for change, characters in _CHANGED.items():
        if change not in _CHANGED_IN_ASCII and text.isascii():
            continue
        if any(characters.search(text, start, end) for start, end in covered):
            yield change
    at = 0
    for start, end in [*covered, (len(text), len(text))]:
        if not text[at:start].isspace() and at < start:
            yield Change.OTHER_TEXT
            return
        at = end


def spans_of(blocks: Sequence[_Block]) -> list[tuple[int, int]]:
    return [(block.start, block.end) for block in blocks]


@lru_cache(_TEXTS)
def find_boards(text: str) -> tuple[Level, ...]:
    """Return the boards drawn at the beginning of *text*, at most _MAX_BOARDS."""
    text = text[:_MAX_BOARD_TEXT]
    if not any(wall in text for wall in "#H＃Ｈ"):
        return ()
    boards = (part.level for part in segments(LINE_END.split(text)[:_MAX_BOARD_LINES]) if isinstance(part, Board))
    return tuple(islice(boards, _MAX_BOARDS))
