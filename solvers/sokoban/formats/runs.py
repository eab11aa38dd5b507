"""Group lines of text into runs of row lines (docs/reference/formats.md, *Level files*).

A *row line* contains a wall and, once decoded, only board characters.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from solvers.errors import BlankLine, ForeignCharacter, OddLine, PuzzleError
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import MIN_ROWS, ROWISH, WALLS, Allowance, decode_row, level_of
from solvers.sokoban.formats.text import fold, quotes
from solvers.sokoban.level import MAX_SIDE, Level

_CELLS_A_CHARACTER = 4
_MAX_HELD_LINES = 200  # lines held back because a later line may show that they belong to a board
_MAX_ANNOTATED = 1_000  # characters of a row with a note
_MAX_PENDING = 7  # runs and lines held because a level may be split several times
_INNER_ROW = re.compile(r"([#WH])[^#WH](?:.*[^#WH])?\1")  # open to the rows above and below
_FLOOR_LINE = re.compile(r"[ \t]*[-_][-_ \t]*")
_NUMBER_SIGN = re.compile(r"#\s?[0-9]+")  # "#12" is a title, not a row with a dangling count


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line outside all boards."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Board:
    """A board that begins at line *number*; *lines* are the numbers of the lines of its rows."""

    number: int
    level: Level
    remarks: tuple[Remark, ...] = ()
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An unreadable board; *error* has line and column."""

    number: int
    error: PuzzleError
    lines: tuple[int, ...] = ()


Segment = TextLine | Board | Unreadable


@dataclass(frozen=True, slots=True)
class Row:
    """A line inside a board: raw text, length of its quote marks, and its decoded rows or the decoding error."""

    number: int
    raw: str
    quoted: int = 0
    rows: tuple[str, ...] = ()
    error: PuzzleError | None = None
    left_out: str = ""  # text behind the row

    @property
    def text(self) -> TextLine:
        return TextLine(self.number, self.raw)


def parse_row(line: TextLine, allowance: Allowance) -> Row | None:
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


# Text behind a row: after two blanks or a sign, at the edge of a board only behind three walls; after one blank, or in
# letters that boards have too, only between two rows.
_BEHIND = re.compile(r"(?P<row>[^\n]*?#)(?:[ \t]{2,}+|[ \t]*+(?:;|//|<|←))(?P<text>[^#]*+)")
_BEHIND_EDGE = re.compile(r"(?P<row>[^\n]*?###)(?:[ \t]{2,}+|[ \t]*+(?:;|//|<|←))(?P<text>[^#]*[^#\s.$*@+_-][^#]*)")
_WORDS_BEHIND = re.compile(r"(?P<row>[^\n]*#)[ \t]++(?P<text>[A-Za-z]{2}[^#]*+)")  # of letters of boards too
_BEHIND_INSIDE = re.compile(r"(?P<row>[^\n]*#)[ \t]++(?P<text>[^#]*+)")


def _parse_row_with_text(line: TextLine, allowance: Allowance, pattern: re.Pattern[str]) -> Row | None:
    """Parse a row of `#` walls with a note behind it."""
    if "#" not in line.text or len(line.text) > _MAX_ANNOTATED or not (match := pattern.fullmatch(line.text)):
        return None
    row = parse_row(TextLine(line.number, match["row"]), allowance)
    if not row or row.error or len(match["row"].strip()) < MIN_ROWS:
        return None
    return replace(row, raw=line.text, left_out=match["text"].strip())


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


def _parse_line(line: Segment, run: Run, allowance: Allowance, *, is_below: bool) -> Row | None:
    """Parse *line* as a row that may continue *run*, or with *is_below* a board that the line before interrupts."""
    if not isinstance(line, TextLine):
        return None
    is_inside = bool(run.lines) or is_below
    row = (
        _parse_row_with_text(line, allowance, _WORDS_BEHIND if is_inside else _BEHIND_EDGE)
        or parse_row(line, allowance)
        or _parse_row_with_text(line, allowance, _BEHIND if is_inside and not run.lines else _BEHIND_EDGE)
    )
    return None if row and run.lines and _is_word_beside(row, run.lines[0]) else row


def gather_runs(lines: Iterable[Segment]) -> Iterator[Segment | Run]:
    """Group row lines into runs. A line that may belong to a run is held until the next row line.

    A level on one line, rows joined by `|`, is a run of its own if next to another such line.
    """
    run, held_rows = Run(), list[Row]()
    allowance = Allowance()
    odd = 0  # number of the line directly below a run
    for line in lines:
        row = _parse_line(line, run, allowance, is_below=line.number == odd + 1)
        if row and run.lines and not held_rows and all(_is_word_beside(word, row) for word in run.lines):
            yield from (word.text for word in run.lines)
            run = Run()
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
            possible_row = (
                _parse_floor_row(line, run.lines[0].quoted)
                or _parse_near_miss(line)
                or _parse_row_with_text(line, allowance, _BEHIND)
                or _parse_row_with_text(line, allowance, _BEHIND_INSIDE)
            )
            if possible_row:
                held_rows.append(possible_row)
                continue
        if run.lines:
            yield run
            yield from (held_row.text for held_row in held_rows)
            run, held_rows = Run(), []
            odd = line.number
        if row:
            run.append(row)
        else:
            yield line
    if run.lines:
        yield run
        yield from (held_row.text for held_row in held_rows)


def _is_word_beside(word: Row, row: Row) -> bool:
    """Return whether *word* is a word such as "WoW", which is no row beside a row with `#`."""
    letters = "".join(word.rows).replace(" ", "")
    is_wall = len(set(letters)) == 1 and len(letters) >= MIN_ROWS
    return letters.isalpha() and not is_wall and "#" in row.raw


def _are_levels_apart(upper: Row, lower: Row) -> bool:
    """Return whether two lines with many rows each are two levels: both are judgeable, or one is closed by itself."""
    if min(len(upper.rows), len(lower.rows)) < MIN_ROWS:
        return False
    is_judged = [parse_judgeable(list(line.rows)) for line in (upper, lower)]
    return all(is_judged) or any(level is not None and level.is_closed for level in is_judged)


def join_over_lines(parts: Iterable[Segment | Run]) -> Iterator[Segment | Run]:
    """Join the runs of one level that single text lines split. Report a blank line that does so, as it may be a row.

    Lines that split two halves which are no levels, joined or not, are reported too: the level is one, not two.
    """
    pending: list[Segment | Run] = []  # runs, with one text line between each two
    for part in parts:
        is_run = isinstance(part, Run)
        if pending and is_run and not len(pending) % 2:
            pending.append(part)
            for start in range(0, len(pending) - 1, 2):
                if joined := _join(pending[start:]):
                    yield from pending[:start]
                    pending = [joined]
                    break
            if isinstance(pending[0], Unreadable) or len(pending) > _MAX_PENDING:
                yield from _report_halves(pending)
                pending = []
            continue
        if isinstance(part, TextLine) and len(pending) % 2:
            pending.append(part)
            continue
        yield from _report_halves(pending)
        pending = []
        if is_run:
            pending = [part]
        else:
            yield part
    yield from _report_halves(pending)


def _join(parts: list[Segment | Run]) -> Run | Unreadable | None:
    """Return one level that text lines split into runs, an error if it cannot be read, or None if it is not one."""
    runs = [part for part in parts if isinstance(part, Run)]
    between = [part for part in parts if isinstance(part, TextLine)]
    rows = [row for run in runs for row in run.rows]
    if len(rows) < MIN_ROWS or any(run.uncounted for run in runs):
        return None
    is_blank = [not line.text[quotes(line.text) :].strip() for line in between]
    if _are_one_level(rows, runs):
        if any(is_blank):
            blank = between[is_blank.index(True)].number
            lines = tuple(line.number for run in runs for line in run.lines)
            return Unreadable(lines[0], BlankLine(line=blank, column=1, line_number=blank), lines)
        left_out = [number for run in runs for number in run.left_out]
        return Run([line for run in runs for line in run.lines], 0, [*left_out, *(line.number for line in between)])
    return None


def _report_halves(pending: list[Segment | Run]) -> Iterator[Segment | Run]:
    """Yield runs with a text line between each two; report those that are pieces of one unreadable board."""
    at = 0
    while at < len(pending):
        end = at
        while end + 2 < len(pending) and _are_halves(*pending[end : end + 3]):
            end += 2
        upper, odd = pending[at], pending[min(at + 1, len(pending) - 1)]
        if end > at and isinstance(upper, Run) and isinstance(odd, TextLine):
            error = OddLine(line=odd.number, column=1, line_number=odd.number)
            runs = [part for part in pending[at : end + 1] if isinstance(part, Run)]
            lines = tuple(line.number for run in runs for line in run.lines)
            yield Unreadable(upper.lines[0].number, error, lines)
        else:
            yield pending[at]
        at = end + 1


def _are_halves(upper: Segment | Run, between: Segment | Run, lower: Segment | Run) -> bool:
    """Return whether a text line cuts a board: rows from wall to wall around it, and neither piece can be judged."""
    if not (isinstance(upper, Run) and isinstance(between, TextLine) and isinstance(lower, Run)):
        return False
    seam = upper.rows[-1].strip(), lower.rows[0].strip()
    return (
        bool(between.text.strip())
        and len(seam[0]) == len(seam[1])
        and all(_INNER_ROW.fullmatch(row) for row in seam)
        and not any(parse_judgeable(run.rows) for run in (upper, lower))
    )


def _are_one_level(joined: list[str], runs: list[Run]) -> bool:
    players = "axX" if "H" in joined[0] + joined[-1] else "@+pP"
    if sum(row.count(player) for row in joined for player in players) != 1:
        return False  # the usual case, decided without building levels
    # Any level may begin with a row of floor, so only a closed level proves that the line is wrong. If the
    # player's own piece is closed already, nothing was split.
    joined_level = parse_judgeable(joined)
    return joined_level is not None and joined_level.is_closed and not any(_is_closed(run.rows) for run in runs)


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
