"""Group lines of text into runs of row lines (docs/reference/formats.md, *Level files*).

A *row line* contains a wall and, once decoded, only board characters.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, takewhile

from solvers.errors import BlankLine, ForeignCharacter, OddLine, PuzzleError
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.rows import MF8_CELLS, MIN_ROWS, ROWISH, WALLS, XSB_CELLS, Allowance, decode_row, level_of
from solvers.sokoban.formats.text import fold, quotes
from solvers.sokoban.level import MAX_SIDE, Level

_CELLS_A_CHARACTER = 4
_MAX_HELD_LINES = 200  # lines held back because a later line may show that they belong to a board
_MAX_ANNOTATED = 1_000  # characters of a row with a note
_MAX_PENDING = 4  # runs held because a level may be split several times
_INNER_ROW = re.compile(r"([#WH])[^#WH](?:.*[^#WH])?\1")  # open to the rows above and below
_FLOOR_LINE = re.compile(r"[ \t]*[-_][-_ \t]*")
_NOTE_SIGNS = (";", "//", "<", "←")
_WORD = re.compile("[A-Za-z]{2}")
# A line between two rows that is a row itself: only signs of boards, or it begins from wall to wall.
_ROW_LIKE = re.compile(r"[ \t]*#[ .$*@+_-]*#|[ \t.$*@+_-]+\Z")
_FOREIGN = re.compile(r"[^#\s.$*@+_-]")
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
class Row(TextLine):
    """A line inside a board: length of its quote marks, and its decoded rows or the decoding error."""

    quoted: int = 0
    rows: tuple[str, ...] = ()
    error: PuzzleError | None = None
    left_out: str = ""  # text behind the row


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


def _parse_row_with_note(line: TextLine, allowance: Allowance, place: str) -> Row | None:
    """Parse a row of `#` walls with a note behind it.

    A note begins after two blanks or with a sign; at the *place* "edge" only behind three walls, and not if it may be
    part of the row. "inside" a board, and "below" a line that cuts it, a word begins it too, and "between" two rows
    anything after a blank.
    """
    wall = line.text.rfind("#") if len(line.text) <= _MAX_ANNOTATED else -1
    row_text, behind = line.text[: wall + 1], line.text[wall + 1 :]
    note = behind.strip()
    if wall < 0 or not note:
        return None
    is_apart = behind[:2].isspace() or note.startswith(_NOTE_SIGNS)
    if not (
        (is_apart and row_text.endswith("###") and _FOREIGN.search(note))
        or (is_apart and place in ("below", "between"))
        or (behind[0].isspace() and place == "between")
        or (behind[0].isspace() and place != "edge" and _WORD.match(note))
    ):
        return None
    row = parse_row(TextLine(line.number, row_text), allowance)
    if not row or row.error or len(row_text.strip()) < MIN_ROWS:
        return None
    return replace(row, text=line.text, left_out=note)


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
    place = "inside" if run.lines else "below" if is_below else "edge"
    row = _parse_row_with_note(line, allowance, place) or parse_row(line, allowance)
    return None if row and run.lines and _is_word_beside(row, run.lines[0]) else row


def _parse_possible_row(line: Segment | None, run: Run, allowance: Allowance) -> Row | None:
    """Parse a line that is a row of *run* only if another row follows."""
    if not run.lines or not isinstance(line, TextLine):
        return None
    return (
        _parse_floor_row(line, run.lines[0].quoted)
        or _parse_near_miss(line)
        or _parse_row_with_note(line, allowance, "between")
    )


def gather_runs(lines: Iterable[Segment]) -> Iterator[Segment | Run]:
    """Group row lines into runs. A line that may belong to a run is held until the next row line.

    A level on one line, rows joined by `|`, is a run of its own if next to another such line.
    """
    run, held = Run(), list[Row]()
    allowance = Allowance()
    odd = 0  # number of the line directly below a run
    for line in chain(lines, [None]):
        row = _parse_line(line, run, allowance, is_below=line.number == odd + 1) if line else None
        if run.lines and row and not held and all(_is_word_beside(word, row) for word in run.lines):
            yield from run.lines
            run = Run()
        elif run.lines and row and _continues(run, row):
            for each in (*held, row):
                run.append(each)
            held = []
            continue
        elif not row and len(held) < _MAX_HELD_LINES and (possible_row := _parse_possible_row(line, run, allowance)):
            held.append(possible_row)
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


def _continues(run: Run, row: Row) -> bool:
    return bool(row.quoted) == bool(run.lines[0].quoted) and not _are_levels_apart(run.lines[-1], row)


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
    levels = [parse_judgeable(line.rows) for line in (upper, lower)]
    return all(levels) or any(level and level.is_closed for level in levels)


def join_over_lines(parts: Iterable[Segment | Run]) -> Iterator[Segment | Run]:
    """Join the runs of one level that single text lines split. Report a blank line that does so, as it may be a row.

    Lines that split pieces which are no levels, joined or not, are reported too: the level is one, not two.
    """
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
    """Return the first of *runs*, or the level or unreadable board that several are together, and their number."""
    joined = (_join(runs[:end], between[: end - 1]) for end in range(2, len(runs) + 1))
    return next(filter(None, joined), None) or _report_pieces(runs, between) or (1, runs[0])


def _join(runs: list[Run], between: list[TextLine]) -> tuple[int, Run | Unreadable] | None:
    """Return the number of *runs* and their level if they are one, or an error if a blank or odd row splits it."""
    rows = [row for run in runs for row in run.rows]
    if len(rows) < MIN_ROWS or any(run.uncounted for run in runs) or not _are_one_level(rows, runs):
        return None
    if error := next(filter(None, map(_refuse_between, between)), None):
        return len(runs), _unreadable(runs, error)
    left_out = [number for run in runs for number in run.left_out] + [line.number for line in between]
    return len(runs), Run([line for run in runs for line in run.lines], 0, left_out)


def _refuse_between(line: TextLine) -> PuzzleError | None:
    """Return an error if *line*, within a level, is blank or looks like a row: without it the board is another."""
    content = fold(line.text[quotes(line.text) :])
    if not content.strip():
        return BlankLine(line=line.number, column=1, line_number=line.number)
    return OddLine(line=line.number, column=1, line_number=line.number) if _ROW_LIKE.match(content) else None


def _report_pieces(runs: list[Run], between: list[TextLine]) -> tuple[int, Unreadable] | None:
    """Return an error for the first of *runs* that are pieces of one unreadable board, and their number."""
    pairs = zip(pairwise(runs), between, strict=False)
    count = 1 + sum(1 for _ in takewhile(lambda pair: _are_pieces(*pair[0], pair[1]), pairs))
    odd = between[0].number if between else 0
    return (count, _unreadable(runs[:count], OddLine(line=odd, column=1, line_number=odd))) if count > 1 else None


def _unreadable(runs: list[Run], error: PuzzleError) -> Unreadable:
    lines = tuple(line.number for run in runs for line in run.lines)
    return Unreadable(lines[0], error, lines)


def _are_pieces(upper: Run, lower: Run, between: TextLine) -> bool:
    """Return whether a text line cuts a board: rows from wall to wall around it, and neither piece is a level."""
    seam = upper.rows[-1].strip(), lower.rows[0].strip()
    return (
        bool(between.text.strip())
        and len(seam[0]) == len(seam[1])
        and all(_INNER_ROW.fullmatch(row) for row in seam)
        and not any(level and level.is_closed for level in map(parse_judgeable, (upper.rows, lower.rows)))
    )


def _are_one_level(joined: list[str], runs: list[Run]) -> bool:
    players = "axX" if "H" in joined[0] + joined[-1] else "@+pP"
    if sum(row.count(player) for row in joined for player in players) != 1:
        return False  # the usual case, decided without building levels
    # Any level may begin with a row of floor, so only a closed level proves that the line is wrong. If the
    # player's own piece is closed already, nothing was split.
    level = parse_judgeable(joined)
    pieces = [_parse_level(run.rows) for run in runs]
    return bool(level and level.is_closed) and not any(piece and piece.players and piece.is_closed for piece in pieces)


def _parse_level(rows: Sequence[str]) -> Level | None:
    try:
        return level_of(rows) if len(rows) >= MIN_ROWS else None
    except PuzzleError:
        return None


def parse_judgeable(rows: Sequence[str]) -> Level | None:
    """Return the level of *rows* if a replay can judge it, closed or not; else None."""
    level = _parse_level(rows)
    return level if level and not level.unjudgeable else None
