"""Read candidates from the masks of a text, and list the characters that a candidate leaves out."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from solvers.errors import PuzzleError
from solvers.sokoban.formats.attempts import fold_for_parsing
from solvers.sokoban.formats.boards import segments
from solvers.sokoban.formats.rows import Board
from solvers.sokoban.formats.runs import number_lines
from solvers.sokoban.formats.text import LINE_END
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.reading.masks import (
    BY_LINES,
    DIRECTIONS,
    IN_FULL,
    STRICT,
    WHOLE,
    Mask,
    folded_text,
    shorten_directions,
)

NO_MOVES = Moves("", "")
MAX_LEFT_OUT = 4  # parts listed
_BUDGET = 4  # times the limit: total steps to which all candidates of one text may decode
_MAX_BOARDS = 20
_MAX_BOARD_TEXT = 200_000  # characters searched for boards
_MAX_BOARD_LINES = 2_000
_TEXTS = 2  # cached readings: the same text is requested several times in a row


@dataclass(frozen=True)
class Candidate:
    """Part of a text that may be moves. *text* begins at index *start* of the whole text, characters in place.

    If it is unreadable, *error* has an index that refers to the whole text. *reading* is its mask's name.
    """

    text: str = field(repr=False)
    start: int
    moves: Moves = field(default=NO_MOVES, repr=False)
    error: PuzzleError | None = None
    reading: str = ""


@dataclass(frozen=True)
class LeftOut:
    """Part of a text that a reading did not take for moves, on line number *line* (from 1)."""

    line: int
    text: str


class CandidateReader:
    """Read candidates of one text within a budget of steps."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.steps_left = _BUDGET * limit

    def read(self, mask: Mask, start: int, end: int) -> Candidate:
        """Read the moves from *start* to *end* of a mask. Readings in full are outside the budget."""
        part = fold_for_parsing(mask.text[start:end]) if mask.name in BY_LINES else mask.text[start:end]
        if mask.name in IN_FULL:
            return read_moves(part, start, self.limit, mask.name)
        candidate = read_moves(part, start, min(self.limit, self.steps_left), mask.name)
        self.steps_left -= len(candidate.moves)
        return candidate


def read_moves(text: str, start: int, limit: int, reading: str = WHOLE) -> Candidate:
    try:
        moves = _cached_parse(text, run_length=reading != STRICT, limit=limit)
    except PuzzleError as error:
        index = None if error.index is None else error.index + start
        return Candidate(text, start, error=error.at(index=index), reading=reading)
    return Candidate(text, start, moves, reading=reading)


@lru_cache(2 * _TEXTS)
def _cached_parse(text: str, *, run_length: bool, limit: int) -> Moves:
    return Moves.parse(text, run_length=run_length, limit=limit)


def first_error(text: str, limit: int) -> PuzzleError | None:
    """Return the first error of a text in which no line and no word is moves; None if it is blank."""
    folded = folded_text(text)
    return None if re.fullmatch(r"[\s0-9()]*", folded) else read_moves(folded, 0, limit).error


# Characters left out

_IN_MASK = bytes(0 if code in b"\t\n\r \0" else 0xFF for code in range(256))
_LEFT_OUT = re.compile(rb"[^\t ,>*\r\n\xff][^\r\n\xff]*")
_BOARD_ROW = re.compile(r"(?<![^\r\n])(?=[^\r\n]*#)[#@+$*.\-_| \t]+(?![^\r\n])")
_ODD_BLANK = re.compile(r"[^\S\x00-\x7f]|[，\ufe0f]")  # U+FE0F: behind a sign, it makes an emoji


def list_left_out(text: str, candidate: Candidate) -> tuple[LeftOut, ...]:
    r"""Return the first parts of *text* that are not in *candidate*, without blanks, commas, `>` and rows of a board.

    >>> list_left_out("Moves: 1\nr-", Candidate("r ", 9))
    (LeftOut(line=1, text='Moves: 1'), LeftOut(line=2, text='-'))

    Time O(text).
    """
    read = candidate.text.encode("ascii", "replace").translate(_IN_MASK)
    kept = bytes(candidate.start) + read + bytes(len(text) - candidate.start - len(read))
    written = _BOARD_ROW.sub(lambda row: " " * len(row[0]), text) if "#" in text else text
    if candidate.reading == DIRECTIONS:
        written = shorten_directions(written)
    ascii_text = _ODD_BLANK.sub(" ", written).encode("ascii", "replace")
    rest = (int.from_bytes(kept) | int.from_bytes(ascii_text)).to_bytes(len(text))
    return tuple(
        LeftOut(len(LINE_END.findall(text, 0, part.start())) + 1, text[part.start() : part.end()].rstrip(" \t,"))
        for part in islice(_LEFT_OUT.finditer(rest), MAX_LEFT_OUT)
    )


@lru_cache(_TEXTS)
def find_boards(text: str) -> tuple[Level, ...]:
    """Return the boards drawn at the beginning of *text*, at most _MAX_BOARDS."""
    text = text[:_MAX_BOARD_TEXT]
    if not any(wall in text for wall in "#H＃Ｈ"):
        return ()
    lines = number_lines(LINE_END.split(text)[:_MAX_BOARD_LINES])
    boards = (part.level for part in segments(lines) if isinstance(part, Board))
    return tuple(islice(boards, _MAX_BOARDS))
