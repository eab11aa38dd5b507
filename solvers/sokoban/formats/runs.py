"""Group lines of text into runs of row lines (docs/reference/formats.md, *Level files*).

A *row line* contains a wall and, once decoded, only board characters.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from solvers.errors import BlankLine, ForeignCharacter, PuzzleError
from solvers.sokoban.formats.remarks import Remark
from solvers.sokoban.formats.rows import MIN_ROWS, ROWISH, WALLS, Allowance, decode_row, level_of
from solvers.sokoban.formats.text import fold, quotes
from solvers.sokoban.level import MAX_SIDE, Level

_CELLS_A_CHARACTER = 4
_MAX_HELD_LINES = 200  # lines held back because a later line may show that they belong to a board
_FLOOR_LINE = re.compile(r"[ \t]*[-_][-_ \t]*")
_NUMBER_SIGN = re.compile(r"#\s?[0-9]+")  # "#12" is a title, not a row with a dangling count


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line outside all boards."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Board:
    """A board that begins at line *number*."""

    number: int
    level: Level
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An unreadable board; *error* has line and column."""

    number: int
    error: PuzzleError


Segment = TextLine | Board | Unreadable


@dataclass(frozen=True, slots=True)
class Row:
    """A line inside a board: raw text, length of its quote marks, and its decoded rows or the decoding error."""

    number: int
    raw: str
    quoted: int = 0
    rows: tuple[str, ...] = ()
    error: PuzzleError | None = None

    @property
    def text(self) -> TextLine:
        return TextLine(self.number, self.raw)


def _parse_row(line: TextLine, allowance: Allowance) -> Row | None:
    """Parse *line* as a row line; return None if it is text."""
    allowance.left += _CELLS_A_CHARACTER * len(line.text)
    quoted = quotes(line.text)
    content = fold(line.text[quoted:]).rstrip(" \t")
    if not ROWISH.fullmatch(content) or WALLS.isdisjoint(content) or _NUMBER_SIGN.fullmatch(content.strip()):
        return None
    try:
        return Row(line.number, line.text, quoted, tuple(decode_row(content, allowance).split("|")))
    except PuzzleError as error:
        located_error = error.at(line=line.number, column=(error.index or 0) + quoted + 1)
        return Row(line.number, line.text, quoted, ("#",) * (content.count("|") + 1), located_error)


def _parse_floor_row(line: TextLine, quoted: int) -> Row | None:
    """Parse a line of only `-` and `_`: it is a row if the lines around it are rows."""
    quote_length = quotes(line.text)
    content = fold(line.text[quote_length:]) if bool(quote_length) == bool(quoted) else ""
    return (
        Row(line.number, line.text, quote_length, (content.expandtabs(8),)) if _FLOOR_LINE.fullmatch(content) else None
    )


def _parse_near_miss(line: TextLine) -> Row | None:
    """Parse a line from wall to wall with a foreign character: a mistyped row if rows surround it."""
    quote_length = quotes(line.text)
    content = fold(line.text[quote_length:])
    stripped = content.strip(" \t")
    if len(stripped) < 3 or stripped[0] not in WALLS or stripped[-1] not in WALLS:
        return None
    if ROWISH.fullmatch(stripped):
        return None
    foreign = next(index for index, character in enumerate(content) if not ROWISH.fullmatch(character))
    error = ForeignCharacter(line=line.number, column=quote_length + foreign + 1, character=content[foreign])
    return Row(line.number, line.text, quote_length, (stripped[0],), error)


@dataclass(slots=True)
class Run:
    """Consecutive row lines. Lines beyond the largest possible board are only counted."""

    lines: list[Row] = field(default_factory=list)
    uncounted: int = 0

    def append(self, row: Row) -> None:
        if len(self.lines) <= MAX_SIDE:
            self.lines.append(row)
        else:
            self.uncounted += 1

    @property
    def rows(self) -> list[str]:
        return [row for line in self.lines for row in line.rows]


def gather_runs(lines: Iterable[Segment]) -> Iterator[Segment | Run]:
    """Group row lines into runs. A line that may belong to a run is held until the next row line.

    A level on one line, rows joined by `|`, is a run of its own if next to another such line.
    """
    run, held_rows = Run(), list[Row]()
    allowance = Allowance()
    for line in lines:
        row = _parse_row(line, allowance) if isinstance(line, TextLine) else None
        if run.lines and row and _are_levels_apart(run.lines[-1], row):
            yield run
            yield from (held_row.text for held_row in held_rows)
            run, held_rows = Run([row]), []
            continue
        if run.lines and row and bool(row.quoted) == bool(run.lines[0].quoted):
            for held_row in held_rows:
                run.append(held_row)
            held_rows.clear()
            run.append(row)
            continue
        if run.lines and not row and isinstance(line, TextLine) and len(held_rows) < _MAX_HELD_LINES:
            possible_row = _parse_floor_row(line, run.lines[0].quoted) or _parse_near_miss(line)
            if possible_row:
                held_rows.append(possible_row)
                continue
        if run.lines:
            yield run
            yield from (held_row.text for held_row in held_rows)
            run, held_rows = Run(), []
        if row:
            run.append(row)
        else:
            yield line
    if run.lines:
        yield run
        yield from (held_row.text for held_row in held_rows)


def _are_levels_apart(upper: Row, lower: Row) -> bool:
    """Return whether two lines with many rows each are two levels: both are judgeable, or one is closed by itself."""
    if min(len(upper.rows), len(lower.rows)) < MIN_ROWS:
        return False
    is_judged = [parse_judgeable(list(line.rows)) for line in (upper, lower)]
    return all(is_judged) or any(level is not None and level.is_closed for level in is_judged)


def join_over_blanks(parts: Iterable[Segment | Run]) -> Iterator[Segment | Run]:
    """Report a blank line that splits one valid level into two runs that are not levels."""
    pending: list[Segment | Run] = []  # a run, and perhaps one blank line after it
    for part in parts:
        if isinstance(part, Run) and len(pending) == 2:
            upper, blank = pending
            if isinstance(upper, Run) and isinstance(blank, TextLine) and _are_one_level(upper, part):
                error = BlankLine(line=blank.number, column=1, line_number=blank.number)
                yield Unreadable(upper.lines[0].number, error)
                pending = []
                continue
        is_first_blank = isinstance(part, TextLine) and len(pending) == 1 and not part.text[quotes(part.text) :].strip()
        if is_first_blank:
            pending.append(part)
            continue
        yield from pending
        pending = []
        if isinstance(part, Run):
            pending = [part]
        else:
            yield part
    yield from pending


def _are_one_level(upper: Run, lower: Run) -> bool:
    if len(upper.rows) + len(lower.rows) < MIN_ROWS or upper.uncounted or lower.uncounted:
        return False
    joined = [*upper.rows, *lower.rows]
    players = "axX" if "H" in joined[0] + joined[-1] else "@+pP"
    if sum(row.count(player) for row in joined for player in players) != 1:
        return False  # the usual case, decided without building levels
    # Any level may begin with a row of floor, so only a closed level proves that the blank line is wrong. If the
    # player's own piece is closed already, nothing was split.
    joined_level = parse_judgeable(joined)
    return (
        joined_level is not None and joined_level.is_closed and not any(_is_closed(run.rows) for run in (upper, lower))
    )


def _is_closed(rows: list[str]) -> bool:
    """Return whether *rows* are a board that the player cannot leave."""
    try:
        level = level_of(rows)
    except PuzzleError:
        return False
    return len(rows) >= MIN_ROWS and bool(level.players) and level.is_closed


def parse_judgeable(rows: list[str]) -> Level | None:
    """Return the level of *rows* if a replay can judge it, closed or not; else None."""
    try:
        level = level_of(rows)
    except PuzzleError:
        return None
    return level if len(rows) >= MIN_ROWS and not level.unjudgeable else None
