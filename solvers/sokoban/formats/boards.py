"""Find the boards in lines of text: XSB, .sok letters and MF8, plain, run-length encoded, quoted or tagged.

formats.md sections 2, 3 and 7 are cited as F2, F3, F7. A *row line* has a wall and, decoded, board characters only; at
least three rows without a break are a board. Whatever is no board comes through as the text it was.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from solvers.errors import BlankLine, ForeignCharacter, MixedAlphabets, PuzzleError, TabInside, TooLarge, TooLong
from solvers.sokoban import runlength
from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.text import LINE_END, fold, folded_kinds, quotes
from solvers.sokoban.level import BOX, FLOOR, GOAL, MAX_CELLS, MAX_SIDE, PLAYER, WALL, Level

MIN_ROWS = 3
_MAX_SYMBOLS = MAX_CELLS + MAX_SIDE  # on one line the ends of the rows count too
_MAX_TAGGED_LINES = 1_000
_MAX_TAGS_A_LINE = 100
_MAX_TAGGED_CHARACTERS = 4 * MAX_CELLS
_CELLS_A_CHARACTER = 4
_MAX_SUSPENSE = 200  # lines that are kept back because the next one may show that they belong to a board

XSB_CELLS = {
    "#": WALL, " ": FLOOR, "-": FLOOR, "_": FLOOR, ".": GOAL, "$": BOX, "b": BOX, "*": BOX | GOAL, "B": BOX | GOAL,
    "@": PLAYER, "p": PLAYER, "+": PLAYER | GOAL, "P": PLAYER | GOAL, "W": WALL, "o": GOAL, "X": BOX,
}  # fmt: skip
MF8_CELLS = {
    "H": WALL, " ": FLOOR, "-": FLOOR, "_": FLOOR, ".": GOAL, "$": BOX, "*": BOX | GOAL, "a": PLAYER,
    "x": PLAYER | GOAL, "X": PLAYER | GOAL,
}  # fmt: skip

_SYMBOLS = "".join(dict.fromkeys([*XSB_CELLS, *MF8_CELLS])) + "|"
_ROWISH = re.compile(rf"[{re.escape(_SYMBOLS)}0-9()\t]+")
_FLOOR_LINE = re.compile(r"[ \t]*[-_][-_ \t]*")
_WALLS = frozenset("#WH")
_NUMBER_SIGN = re.compile(r"#\s?[0-9]+")  # "#12" is a title, not a row with a dangling count
_ZERO_COUNT = re.compile(r"(?<![0-9])0+[^0-9]")
_TAG = re.compile(r"\[(soko|sokojava)=\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that belongs to no board."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Board:
    """A board read from the line *number* on."""

    number: int
    level: Level
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What looks like a board and cannot be read; *error* has line and column."""

    number: int
    error: PuzzleError


Segment = TextLine | Board | Unreadable


@dataclass(frozen=True, slots=True)
class _Row:
    """A line inside a board: as it stood, how much of it are quotes, and the rows it decodes to, or why it does not."""

    number: int
    raw: str
    quoted: int = 0
    rows: tuple[str, ...] = ()
    error: PuzzleError | None = None

    @property
    def text(self) -> TextLine:
        return TextLine(self.number, self.raw)


def segments(lines: Iterable[str]) -> Iterator[Segment]:
    """Yield text lines, boards and what cannot be read, in order; lines count from 1. Memory O(one board)."""
    numbered = enumerate((line.rstrip("\r\n") for line in lines), 1)  # an open file yields lines with their ends
    for part in _joined_over_blanks(_runs(_without_tagged(numbered))):
        if isinstance(part, _Run):
            yield from _board_of(part)
        else:
            yield part


# Rows


@dataclass(slots=True)
class _Allowance:
    """How many cells run-lengths may still decode to, in proportion to the text: no short file costs much."""

    left: int = 100 * MAX_CELLS


def _row(line: TextLine, allowance: _Allowance) -> _Row | None:
    """Read *line* as a row line, or say None where it is text (F3.6)."""
    allowance.left += _CELLS_A_CHARACTER * len(line.text)
    quoted = quotes(line.text)
    content = fold(line.text[quoted:]).rstrip(" \t")
    if not _ROWISH.fullmatch(content) or _WALLS.isdisjoint(content) or _NUMBER_SIGN.fullmatch(content.strip()):
        return None
    try:
        return _Row(line.number, line.text, quoted, tuple(_decoded(content, allowance).split("|")))
    except PuzzleError as error:
        placed = error.at(line=line.number, column=(error.index or 0) + quoted + 1)
        return _Row(line.number, line.text, quoted, ("#",) * (content.count("|") + 1), placed)


def _decoded(content: str, allowance: _Allowance) -> str:
    indent = len(content) - len(content.lstrip(" \t"))
    if (tab := content.find("\t", indent)) != -1:
        raise TabInside(index=tab)
    expanded = content[:indent].expandtabs(8) + content[indent:]
    if len(expanded) > 2 * _MAX_SYMBOLS:
        raise TooLong(size=len(expanded), limit=_MAX_SYMBOLS)
    if not any(character in expanded for character in "0123456789()"):
        return expanded
    try:
        decoded = runlength.decode(expanded, _SYMBOLS, limit=max(0, min(_MAX_SYMBOLS, allowance.left)))
        allowance.left -= len(decoded)
        return decoded
    except PuzzleError as error:
        raise error.at(index=(error.index or 0) - len(expanded) + len(content)) from None


def _floor_row(line: TextLine, quoted: int) -> _Row | None:
    """A line of only `-` and `_`: a row where the lines around it are (F3.6)."""
    here = quotes(line.text)
    content = fold(line.text[here:]) if bool(here) == bool(quoted) else ""
    return _Row(line.number, line.text, here, (content.expandtabs(8),)) if _FLOOR_LINE.fullmatch(content) else None


def _near_miss(line: TextLine) -> _Row | None:
    """A line from wall to wall with a foreign character: a mistyped row if rows surround it (F3.10)."""
    here = quotes(line.text)
    content = fold(line.text[here:])
    stripped = content.strip(" \t")
    if len(stripped) < 3 or stripped[0] not in _WALLS or stripped[-1] not in _WALLS:
        return None
    if _ROWISH.fullmatch(stripped):
        return None
    foreign = next(index for index, character in enumerate(content) if not _ROWISH.fullmatch(character))
    error = ForeignCharacter(line=line.number, column=here + foreign + 1, character=content[foreign])
    return _Row(line.number, line.text, here, (stripped[0],), error)


# Runs of rows


@dataclass(slots=True)
class _Run:
    """Row lines without a break; beyond what can be a board only their number is kept."""

    lines: list[_Row] = field(default_factory=list)
    uncounted: int = 0

    def append(self, row: _Row) -> None:
        if len(self.lines) <= MAX_SIDE:
            self.lines.append(row)
        else:
            self.uncounted += 1

    @property
    def rows(self) -> list[str]:
        return [row for line in self.lines for row in line.rows]


def _runs(lines: Iterable[Segment]) -> Iterator[Segment | _Run]:
    """Gather row lines into runs; a line that may belong to one waits for the next line that does.

    A level on one line, its rows joined by `|`, is a run of its own beside another such line.
    """
    run, waiting = _Run(), list[_Row]()
    allowance = _Allowance()
    for line in lines:
        row = _row(line, allowance) if isinstance(line, TextLine) else None
        if run.lines and row and _are_levels_apart(run.lines[-1], row):
            yield run
            yield from (between.text for between in waiting)
            run, waiting = _Run([row]), []
            continue
        if run.lines and row and bool(row.quoted) == bool(run.lines[0].quoted):
            for between in waiting:
                run.append(between)
            waiting.clear()
            run.append(row)
            continue
        if run.lines and not row and isinstance(line, TextLine) and len(waiting) < _MAX_SUSPENSE:
            perhaps = _floor_row(line, run.lines[0].quoted) or _near_miss(line)
            if perhaps:
                waiting.append(perhaps)
                continue
        if run.lines:
            yield run
            yield from (between.text for between in waiting)
            run, waiting = _Run(), []
        if row:
            run.append(row)
        else:
            yield line
    if run.lines:
        yield run
        yield from (between.text for between in waiting)


def _are_levels_apart(upper: _Row, lower: _Row) -> bool:
    """Whether two lines with many rows each are two levels: both can be judged, or one is whole by itself."""
    if min(len(upper.rows), len(lower.rows)) < MIN_ROWS:
        return False
    is_judged = [_judgeable(list(line.rows)) for line in (upper, lower)]
    return all(is_judged) or any(level is not None and level.is_closed for level in is_judged)


def _joined_over_blanks(parts: Iterable[Segment | _Run]) -> Iterator[Segment | _Run]:
    """Report a blank line that splits what would be one valid level into two boards that are none (F3.10)."""
    held: list[Segment | _Run] = []  # a run, and perhaps one blank line behind it
    for part in parts:
        if isinstance(part, _Run) and len(held) == 2:
            upper, blank = held
            if isinstance(upper, _Run) and isinstance(blank, TextLine) and _are_one_level(upper, part):
                error = BlankLine(line=blank.number, column=1, line_number=blank.number)
                yield Unreadable(upper.lines[0].number, error)
                held = []
                continue
        is_first_blank = isinstance(part, TextLine) and len(held) == 1 and not part.text[quotes(part.text) :].strip()
        if is_first_blank:
            held.append(part)
            continue
        yield from held
        held = []
        if isinstance(part, _Run):
            held = [part]
        else:
            yield part
    yield from held


def _are_one_level(upper: _Run, lower: _Run) -> bool:
    if len(upper.rows) + len(lower.rows) < MIN_ROWS or upper.uncounted or lower.uncounted:
        return False
    joined = [*upper.rows, *lower.rows]
    players = "axX" if "H" in joined[0] + joined[-1] else "@+pP"
    if sum(row.count(player) for row in joined for player in players) != 1:
        return False  # the usual case, found without making levels
    # A row of floor opens any level, so a closed one shows when the blank line is left out; and where the player's
    # own piece is closed already, nothing was split.
    whole = _judgeable(joined)
    return whole is not None and whole.is_closed and not any(_is_closed(run.rows) for run in (upper, lower))


def _is_closed(rows: list[str]) -> bool:
    """Whether *rows* are a board whose player cannot leave it."""
    try:
        level = level_of(rows)
    except PuzzleError:
        return False
    return len(rows) >= MIN_ROWS and bool(level.players) and level.is_closed


def _judgeable(rows: list[str]) -> Level | None:
    """The level of *rows* if a replay can judge it, closed or not."""
    try:
        level = level_of(rows)
    except PuzzleError:
        return None
    return level if len(rows) >= MIN_ROWS and not level.unjudgeable else None


# Boards


def level_of(rows: list[str]) -> Level:
    """Make a level of decoded *rows* in whichever alphabet their walls are (F2.3).

    Raise MixedAlphabets, ForeignCharacter (`values["character"]`), NoBoard or TooLarge.
    """
    characters = frozenset().union(*rows)
    first_wall = next((character for row in rows for character in row if character in _WALLS), "#")
    cells = MF8_CELLS if first_wall == "H" else XSB_CELLS
    for foreign in sorted(characters - cells.keys()):
        if foreign in _WALLS:
            raise MixedAlphabets(character=foreign)
        raise ForeignCharacter(character=foreign)
    if cells is XSB_CELLS and "X" in characters and characters & {"$", "b", "B"}:
        raise ForeignCharacter(character="X")
    table = {ord(glyph): cell for glyph, cell in cells.items()}
    return Level.from_cells(row.translate(table).encode("latin-1") for row in rows)


def _board_of(run: _Run) -> Iterator[Segment]:
    """Yield the board of *run*, and as text the lines at its ends, or all of them, that are none."""
    top, bottom = _words_at_the_ends(run.lines)
    body = run.lines[top : len(run.lines) - bottom]
    yield from (row.text for row in run.lines[:top])
    if sum(len(row.rows) for row in body) + run.uncounted < MIN_ROWS:
        yield from (row.text for row in body)
    elif run.uncounted:
        width = max(map(len, run.rows))
        height = len(run.rows) + run.uncounted
        error = TooLarge(width=width, height=height, limit=MAX_SIDE)
        yield Unreadable(body[0].number, error.at(line=body[0].number, column=1))
    else:
        yield from _levels_of(body)
    yield from (row.text for row in run.lines[len(run.lines) - bottom :])


def _words_at_the_ends(lines: list[_Row]) -> tuple[int, int]:
    """Count the lines at the top and at the bottom that are words like "WoW" beside a board drawn otherwise.

    The first and the last row of a board are walls; a word beside a board of `#` is neither that nor a wall of `W`.
    """

    inner = frozenset().union(*(row for line in lines[1:-1] for row in line.rows))
    alphabet = frozenset() if "#" in inner else MF8_CELLS.keys() if "H" in inner else XSB_CELLS.keys()

    def is_word(row: _Row) -> bool:
        letters = "".join(row.rows).replace(" ", "")
        is_wall = len(set(letters)) == 1 and len(letters) >= MIN_ROWS
        return letters.isalpha() and not is_wall and not alphabet >= set(letters)

    return (int(is_word(lines[0])), int(is_word(lines[-1]))) if inner else (0, 0)


def _levels_of(body: list[_Row]) -> Iterator[Segment]:
    first = body[0].number
    if broken := next((row.error for row in body if row.error), None):
        yield Unreadable(first, broken)
        return
    rows = [row for line in body for row in line.rows]
    try:
        if sum(map(len, rows)) > _MAX_SYMBOLS:
            raise TooLong(size=sum(map(len, rows)), limit=_MAX_SYMBOLS)
        level = level_of(rows)
    except PuzzleError as error:
        yield Unreadable(first, _placed(error, body))
        return
    apart = _apart(body) if len(level.players) > 1 else []
    yield from apart or [Board(first, level, tuple(_remarks(body)))]


_WORD_OR_LINE = re.compile(r"[A-Za-z ]+|[-_ ]+")


def _apart(body: list[_Row]) -> list[Segment]:
    """What *body* is if it is several levels without a blank line between; empty if it is not.

    Each on a line of its own, its rows joined by `|`; or parted by words, or by lines such as `-----`.
    """
    parts: list[Segment] = []
    for is_between, rows in groupby(body, lambda row: bool(_WORD_OR_LINE.fullmatch("|".join(row.rows)))):
        together = list(rows)
        alone = [[row] for row in together] if all(len(row.rows) >= MIN_ROWS for row in together) else [together]
        for piece in [] if is_between else alone:
            level = _judgeable([row for line in piece for row in line.rows])
            if level is None:
                return []
            parts.append(Board(piece[0].number, level, tuple(_remarks(piece))))
        parts += [row.text for row in together if is_between]
    return parts


def _placed(error: PuzzleError, body: list[_Row]) -> PuzzleError:
    """*error* with the line and column of the character it names, or of the board's first line."""
    character = error.values.get("character", "")
    for row in body:
        column = fold(row.raw[row.quoted :]).find(character) if character else 0
        if column != -1:
            return error.at(line=row.number, column=row.quoted + column + 1)
    return error.at(line=body[0].number, column=1)


def _remarks(body: list[_Row]) -> Iterator[Remark]:
    characters = frozenset().union(*(row for line in body for row in line.rows))
    if "H" not in characters:
        for character, code in (("X", Notice.X_AS_BOX), ("W", Notice.W_AS_WALL), ("o", Notice.O_AS_GOAL)):
            if character in characters:
                yield Remark(code, body[0].number)
    if body[0].quoted:
        yield Remark(Notice.QUOTED, body[0].number)
    for kind in dict.fromkeys(kind for row in body for kind in folded_kinds(row.raw)):
        yield Remark(Notice(kind), body[0].number)
    for row in body:
        if "0" in row.raw and _ZERO_COUNT.search(fold(row.raw)):
            yield Remark(Notice.ZERO_COUNT, row.number)
            break


# Forum tags


def _without_tagged(lines: Iterable[tuple[int, str]]) -> Iterator[Segment]:
    """Yield the lines as text, and what stands between `[soko=W,H]` and `[/soko]` as a board (F7.3)."""
    held: list[TextLine] = []  # lines since the tag
    size, tag = 0, None
    for number, line in lines:
        text = TextLine(number, line)
        if tag is None and "[" in line:
            tag = _TAG.search(line)
        if tag is None:
            yield text
            continue
        held.append(text)
        size += len(line)
        boards = 0
        while tag and boards < _MAX_TAGS_A_LINE and (whole := _tagged(held, tag)):
            boards += 1
            before, segment, rest = whole
            if before.strip():
                yield TextLine(held[0].number, before)
            yield segment
            held, tag = [], None
            if rest.strip():
                tag = _TAG.search(rest)
                held = [TextLine(number, rest)]
            size = len(rest)
        if tag is None or len(held) > _MAX_TAGGED_LINES or size > _MAX_TAGGED_CHARACTERS:
            yield from held
            held, tag, size = [], None, 0
    yield from held


def _tagged(held: list[TextLine], tag: re.Match[str]) -> tuple[str, Segment, str] | None:
    """The text before the tag, its board, and the text behind the end tag; None while there is no end tag."""
    closing = f"[/{tag[1].lower()}]"
    first, last = held[0], held[-1]
    start = tag.end() if last is first else 0
    end = last.text.lower().find(closing, start)
    if end == -1:
        return None
    inside = [line.text for line in held[:-1]] + [last.text[:end]]
    inside[0] = inside[0][tag.end() :]
    unit = 16 if tag[1].lower() == "sokojava" else 1  # that tag gives pixels, and one row more than there are
    given = int(tag[2]) // unit, int(tag[3]) // unit - (unit == 16)
    rows = [row for line in inside for row in _tagged_rows(line)]
    return first.text[: tag.start()], _tagged_board(first.number, rows, given), last.text[end + len(closing) :]


def _tagged_rows(line: str) -> Iterator[str]:
    folded = fold(line)
    if folded.strip():
        yield from folded.split("|")


def _tagged_board(number: int, rows: list[str], given: tuple[int, int]) -> Segment:
    try:
        level, remarks = sized(rows, *given, line=number)
    except PuzzleError as error:
        return Unreadable(number, error.at(line=number, column=1))
    return Board(number, level, remarks)


def sized(rows: list[str], width: int, height: int, *, line: int = 0) -> tuple[Level, tuple[Remark, ...]]:
    """The level of *rows* whose size was given too; 0 means not given. The rows win, with a remark (F7.2)."""
    allowance = _Allowance(_MAX_SYMBOLS)
    try:
        level = level_of([_decoded(row.rstrip(), allowance) for row in rows])
    except PuzzleError as error:
        character = error.values.get("character")
        index = "|".join(rows).find(character) if character else 0
        raise error.at(index=max(index, 0)) from None
    while rows and not rows[-1].strip():
        rows = rows[:-1]
    found = max(map(len, rows)), len(rows)
    given = width or found[0], height or found[1]
    # Rows shorter than the width given are floor up to it: only more than was said is a difference.
    if found[0] > given[0] or found[1] != given[1]:
        values = {"given": f"{given[0]}x{given[1]}", "found": f"{found[0]}x{found[1]}"}
        return level, (Remark(Notice.SIZE_DIFFERS, line, values),)
    return level, ()


def rows_of(text: str) -> list[str]:
    """Split the text of one board into rows at line ends and `|`, folded."""
    return [row for line in LINE_END.split(text) for row in fold(line).split("|")]
