"""Group lines of text into runs of row lines (docs/reference/formats.md, *Level files*).

A *row line* contains a wall and, once decoded, only board characters.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile

from solvers.errors import BlankLine, ForeignCharacter, OddLine, PuzzleError
from solvers.sokoban.formats.remarks import Notice
from solvers.sokoban.formats.rows import (
    MF8_CELLS,
    MIN_ROWS,
    ROWISH,
    WALLS,
    XSB_CELLS,
    Allowance,
    Board,
    decode_row,
    level_of,
)
from solvers.sokoban.formats.text import fold, quotes
from solvers.sokoban.level import MAX_SIDE, Level

_CELLS_A_CHARACTER = 4
_MAX_HELD_LINES = 200  # lines held back because a later line may show that they belong to a board
_MAX_ANNOTATED = 1_000  # characters of a row with a note
_MAX_PENDING = 4  # runs held because a level may be split several times
_INNER_ROW = re.compile(r"([#WH])[^#WH](?:.*[^#WH])?\1")  # open to the rows above and below
_FLOOR_LINE = re.compile(r"[ \t]*[-_][-_ \t]*")
# A row with a note, which begins after two blanks or with a sign; at the "edge" of a board only behind three walls, and
# not if it may be part of the row. "inside" a board, and "below" a line that cuts it, a word begins it too, and
# "between" two rows anything after a blank.
_APART = r"(?:\s\s|\s*(?:;|//|<|←))"
_BEHIND_WALLS = rf"(?<=###)(?={_APART})(?=.*[^#\s.$*@+_-])"
_NOTES = {
    place: re.compile(rf"(?P<row>.*#)(?=[^#]*\Z)(?P<note>(?:{start})(?=\s*\S).*)")
    for place, start in {
        "edge": _BEHIND_WALLS,
        "inside": rf"{_BEHIND_WALLS}|(?=\s+[A-Za-z]{{2}})",
        "below": rf"(?={_APART}|\s+[A-Za-z]{{2}})",
        "between": rf"(?={_APART}|\s)",
    }.items()
}
# A line between two rows that is a row itself: only signs of boards, or it begins from wall to wall.
_ROW_LIKE = re.compile(r"[ \t]*#[ .$*@+_-]*#|[ \t.$*@+_-]+\Z")
_NUMBER_SIGN = re.compile(r"#\s?[0-9]+")  # "#12" is a title, not a row with a dangling count


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line outside all boards."""

    number: int
    text: str


def number_lines(lines: Iterable[str]) -> Iterator[TextLine]:
    """Yield *lines* with their numbers from 1, and without line ends, which an open file yields too."""
    yield from (TextLine(number, line.rstrip("\r\n")) for number, line in enumerate(lines, 1))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An unreadable board; *error* has line and column."""

    number: int
    error: PuzzleError
    lines: tuple[int, ...] = ()


Segment = TextLine | Board | Unreadable


@dataclass(frozen=True, slots=True)
class Row(TextLine):
    """A line inside a board: length of its quote marks, and its decoded rows or the decoding error."""

    quoted: int = 0
    rows: tuple[str, ...] = ()
    error: PuzzleError | None = None
    left_out: str = ""  # text behind the row


@dataclass(slots=True)
class Run:
    """Consecutive row lines. Lines beyond the largest possible board are only counted.

    *left_out* are the numbers of text lines between the rows, *mark* the kind of marks removed before the rows.
    """

    lines: list[Row] = field(default_factory=list)
    uncounted: int = 0
    left_out: list[int] = field(default_factory=list)
    mark: Notice | None = None

    def append(self, row: Row) -> None:
        if len(self.lines) <= MAX_SIDE:
            self.lines.append(row)
        else:
            self.uncounted += 1

    @property
    def rows(self) -> list[str]:
        return [row for line in self.lines for row in line.rows]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(line.number for line in self.lines)


def parse_row(line: TextLine, allowance: Allowance) -> Row | None:
    """Parse *line* as a row; return None if it is text."""
    allowance.left += _CELLS_A_CHARACTER * len(line.text)
    quoted = quotes(line.text)
    content = fold(line.text[quoted:]).rstrip(" \t")
    if not ROWISH.fullmatch(content) or WALLS.isdisjoint(content) or _NUMBER_SIGN.fullmatch(content.strip()):
        return None
    try:
        return Row(line.number, line.text, quoted, tuple(decode_row(content, allowance).split("|")))
    except PuzzleError as error:
        error = error.at(line=line.number, column=(error.index or 0) + quoted + 1)
        return Row(line.number, line.text, quoted, ("#",) * (content.count("|") + 1), error)


def _parse_row_with_note(line: TextLine, allowance: Allowance, place: str) -> Row | None:
    """Parse a row of `#` walls with a note behind it, which begins as _NOTES say for the *place* of the line."""
    match = _NOTES[place].fullmatch(line.text) if "#" in line.text and len(line.text) <= _MAX_ANNOTATED else None
    row = parse_row(TextLine(line.number, match["row"]), allowance) if match else None
    if not match or not row or row.error or len(match["row"].strip()) < MIN_ROWS:
        return None
    return replace(row, text=line.text, left_out=match["note"].strip())


def _parse_possible_row(line: TextLine, allowance: Allowance) -> Row | None:
    """Parse a line that is a row only between rows: of floor, with a note, or mistyped from wall to wall."""
    quoted = quotes(line.text)
    content = fold(line.text[quoted:])
    stripped = content.strip(" \t")
    if _FLOOR_LINE.fullmatch(content):
        return Row(line.number, line.text, quoted, (content.expandtabs(8),))
    if len(stripped) >= MIN_ROWS and {stripped[0], stripped[-1]} <= WALLS and not ROWISH.fullmatch(stripped):
        foreign = next(index for index, character in enumerate(content) if not ROWISH.fullmatch(character))
        error = ForeignCharacter(line=line.number, column=quoted + foreign + 1, character=content[foreign])
        return Row(line.number, line.text, quoted, (stripped[0],), error)
    return _parse_row_with_note(line, allowance, "between")


def gather_runs(lines: Iterable[Segment]) -> Iterator[Segment | Run]:
    """Group row lines into runs. A line that may belong to a run is held until the next row line.

    A level on one line, rows joined by `|`, is a run of its own if next to another such line.
    """
    run, held = Run(), list[Row]()
    allowance = Allowance()
    odd = 0  # number of the line directly below a run
    for line in chain(lines, [None]):
        row = _parse_line(line, run, allowance, is_below=line.number == odd + 1) if isinstance(line, TextLine) else None
        if run.lines and row and not held and all(_is_word_beside(word, row) for word in run.lines):
            yield from run.lines
            run = Run()
        elif run.lines and row and _continues(run, held, row):
            for each in (*held, row):
                run.append(each)
            held = []
            continue
        possible = (
            _parse_possible_row(line, allowance) if run.lines and not row and isinstance(line, TextLine) else None
        )
        if possible and len(held) < _MAX_HELD_LINES:
            held.append(possible)
            continue
        if run.lines:
            yield run
            yield from held
            run, held = Run(), []
            odd = line.number if line and not row else 0
        if row:
            run.append(row)
        elif line:
            yield line


def _parse_line(line: TextLine, run: Run, allowance: Allowance, *, is_below: bool) -> Row | None:
    """Parse *line* as a row that may continue *run*, or with *is_below* a board that the line before interrupts."""
    place = "inside" if run.lines else "below" if is_below else "edge"
    row = _parse_row_with_note(line, allowance, place) or parse_row(line, allowance)
    return None if row and run.lines and _is_word_beside(row, run.lines[0]) else row


def _continues(run: Run, held: list[Row], row: Row) -> bool:
    """Return whether *row* continues the board of *run*. *held* lines such as `-----` under a closed level end it."""
    is_over = held and not any(line.error or line.left_out for line in held) and is_sound(parse_level(run.rows))
    return not is_over and bool(row.quoted) == bool(run.lines[0].quoted) and not _are_levels_apart(run.lines[-1], row)


def _is_word_beside(word: Row, row: Row) -> bool:
    """Return whether *word* is a word such as "WoW", which is no row beside *row* with its walls."""
    letters = "".join(word.rows).replace(" ", "")
    if not letters.isalpha() or (len(set(letters)) == 1 and len(letters) >= MIN_ROWS):
        return False
    return "#" in row.text or not (MF8_CELLS if "H" in row.text else XSB_CELLS).keys() >= set(letters)


def _are_levels_apart(upper: Row, lower: Row) -> bool:
    """Return whether two lines with many rows each are two levels: both are judgeable, or one is closed by itself."""
    if min(len(upper.rows), len(lower.rows)) < MIN_ROWS:
        return False
    levels = [parse_level(line.rows) for line in (upper, lower)]
    return any(map(is_sound, levels)) or all(level and not level.unjudgeable for level in levels)


def join_over_lines(parts: Iterable[Segment | Run]) -> Iterator[Segment | Run]:
    """Join the runs of one level that single text lines split. Report a blank line that does so, as it may be a row."""
    runs, between = list[Run](), list[TextLine]()  # runs with one text line between each two
    for part in chain(parts, [None]):
        is_next = isinstance(part, TextLine if len(runs) > len(between) else Run)
        while runs and (not is_next or len(runs) > _MAX_PENDING):
            count, whole = _join_first(runs, between)
            yield whole
            yield from between[count - 1 : count]
            del runs[:count], between[:count]
        if isinstance(part, Run):
            runs.append(part)
        elif runs and isinstance(part, TextLine):
            between.append(part)
        elif part:
            yield part


def _join_first(runs: list[Run], between: list[TextLine]) -> tuple[int, Run | Unreadable]:
    """Return how many of *runs* are one board, and the board, or the error of a line that splits it.

    Pieces that are no levels, joined or not, are one unreadable board, not two.
    """
    whole = next((end for end in range(2, len(runs) + 1) if _are_one_level(runs[:end])), 0)
    count = whole or 1 + sum(1 for _ in takewhile(_are_pieces, zip(runs, between, runs[1:], strict=False)))
    if count == 1:
        return 1, runs[0]
    odd = [line.number for line in between[: count - 1]]
    joined = Run([line for run in runs[:count] for line in run.lines], 0, odd)
    error = next(filter(None, map(_refuse_between, between[: count - 1])), None)
    if not whole:
        error = OddLine(line=odd[0], column=1, line_number=odd[0])
    return count, Unreadable(joined.numbers[0], error, joined.numbers) if error else joined


def _refuse_between(line: TextLine) -> PuzzleError | None:
    """Return an error if *line*, within a level, is blank or looks like a row: without it the board is another."""
    content = fold(line.text[quotes(line.text) :])
    kind = BlankLine if not content.strip() else OddLine if _ROW_LIKE.match(content) else None
    return kind(line=line.number, column=1, line_number=line.number) if kind else None


def _are_pieces(cut: tuple[Run, TextLine, Run]) -> bool:
    """Return whether a text line cuts a board: rows from wall to wall around it, and neither piece is a level."""
    upper, between, lower = cut
    seam = upper.rows[-1].strip(), lower.rows[0].strip()
    return (
        bool(between.text.strip())
        and len(seam[0]) == len(seam[1])
        and all(_INNER_ROW.fullmatch(row) for row in seam)
        and not any(_is_whole(run.rows) for run in (upper, lower))
    )


def _are_one_level(runs: list[Run]) -> bool:
    rows = [row for run in runs for row in run.rows]
    players = "axX" if "H" in rows[0] + rows[-1] else "@+pP"
    if sum(row.count(player) for row in rows for player in players) != 1 or any(run.uncounted for run in runs):
        return False  # the usual case, decided without building levels
    # Any level may begin with a row of floor, so only a closed level proves that the line is wrong. If the
    # player's own piece is closed already, nothing was split.
    return is_sound(parse_level(rows)) and not any(_is_whole(run.rows) for run in runs)


def _is_whole(rows: Sequence[str]) -> bool:
    level = parse_level(rows)
    return bool(level and level.players and level.is_closed)


def parse_level(rows: Sequence[str]) -> Level | None:
    """Return the level of *rows*; None if they are too few or unreadable."""
    try:
        return level_of(rows) if len(rows) >= MIN_ROWS else None
    except PuzzleError:
        return None


def is_sound(level: Level | None) -> bool:
    """Return whether *level* is closed and a replay can judge it: then its text is surely a board."""
    return bool(level and not level.unjudgeable and level.is_closed)
