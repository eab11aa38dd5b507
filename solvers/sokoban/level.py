"""One Sokoban board: parse it, write it, and compute static facts about its start position.

Rows and columns count from 0 at the top left. A cell's number is `row * width + column`.
docs/reference/formats.md, *Boards*, lists the letters. `formats` reads files with many levels.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from solvers.errors import BadLevel, BlankLine, NoBoard, PuzzleError, TooLarge, TooLong
from solvers.sokoban import runlength
from solvers.sokoban.arena import BLOCKED, CRATE, FREE, OUTSIDE, Arena
from solvers.sokoban.problems import Fault, Problem

FLOOR, WALL, GOAL, BOX, PLAYER = 0, 1, 2, 4, 8
MAX_SIDE = 200
MAX_CELLS = 40_000
MAX_SYMBOLS = MAX_CELLS + MAX_SIDE  # on one line the row separators count too
CELL_OF = {
    "#": WALL,
    " ": FLOOR,
    "-": FLOOR,
    "_": FLOOR,
    ".": GOAL,
    "$": BOX,
    "b": BOX,
    "*": BOX | GOAL,
    "B": BOX | GOAL,
    "@": PLAYER,
    "p": PLAYER,
    "+": PLAYER | GOAL,
    "P": PLAYER | GOAL,
}
_GLYPH_OF = {
    FLOOR: "-",
    WALL: "#",
    GOAL: ".",
    BOX: "$",
    BOX | GOAL: "*",
    PLAYER: "@",
    PLAYER | GOAL: "+",
}
_SYMBOLS = "".join(CELL_OF) + "|"
_LINE_END = re.compile(r"\r\n|\n\r|\n|\r")


@dataclass(frozen=True, repr=False)
class Level:
    """A board of *width* times *height* cells, row by row in *cells*, each a sum of WALL, GOAL, BOX and PLAYER.

    There are no cells outside the rectangle, and nothing can leave it.
    """

    width: int
    height: int
    cells: bytes

    @classmethod
    def parse(cls, text: str) -> "Level":
        """Parse one board: rows separated by line ends or `|`; run-length groups are allowed.

        >>> print(Level.parse("5#|#@$.#|5#"))
        #####
        #@$.#
        #####

        Empty rows and columns at the edge are cropped; short rows are padded with floor.
        The level may be unplayable: see `problems`. Raise PuzzleError, with line and column, if the text is not a
        board or is too large. Time and memory O(text + cells).
        """
        rows = [row for line in _decode_lines(text) for row in line.split("|")]
        return cls.from_cells([[CELL_OF[glyph] for glyph in row] for row in rows])

    @classmethod
    def of(cls, level: "Level | str", name: str = "level") -> "Level":
        """Return *level*, parsed if it is a text. Raise PuzzleError, or TypeError that names the argument *name*."""
        if isinstance(level, str):
            return cls.parse(level)
        if not isinstance(level, Level):
            raise TypeError(f"{name} must be a Level or its text, not {level!r}")
        return level

    @classmethod
    def from_cells(cls, cells: Iterable[Iterable[int]]) -> "Level":
        """Build a level from rows of cells; crop it and pad it with floor. Raise NoBoard or TooLarge."""
        rows = [bytes(row).rstrip(b"\0") for row in cells]
        while rows and not rows[-1]:
            rows.pop()
        first = next((number for number, row in enumerate(rows) if row), None)
        if first is None:
            raise NoBoard
        rows = rows[first:]
        left = min(len(row) - len(row.lstrip(b"\0")) for row in rows if row)
        width = max(map(len, rows)) - left
        if max(width, len(rows)) > MAX_SIDE:
            raise TooLarge(width=width, height=len(rows), limit=MAX_SIDE)
        return cls(width, len(rows), b"".join(row[left:].ljust(width, b"\0") for row in rows))

    def __str__(self) -> str:
        """Return XSB rows for copying: floor is `-`, because forums and HTML collapse blanks."""
        return "\n".join(self.rows())

    def __repr__(self) -> str:
        """Return the call of `parse` that gives the level.

        >>> Level.parse("5#|#@$.#|5#")
        Level.parse('#####|#@$.#|#####')
        """
        return f"Level.parse({self.published_text!r})"

    def rows(self, floor: str = "-") -> Iterator[str]:
        """Yield the XSB rows, padded to the width."""
        glyphs = {**_GLYPH_OF, FLOOR: floor}
        for start in range(0, len(self.cells), self.width):
            yield "".join(glyphs[cell] for cell in self.cells[start : start + self.width])

    @cached_property
    def published_text(self) -> str:
        """The exact level on one line: floor is `-`, rows are joined by `|`."""
        return "|".join(self.rows())

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the published text: identifies the exact level, and is part of every result (rule 2.9)."""
        return hashlib.sha256(self.published_text.encode("ascii")).hexdigest()

    # Facts about the start position

    @cached_property
    def players(self) -> tuple[int, ...]:
        return self._cells_with(PLAYER)

    @cached_property
    def boxes(self) -> tuple[int, ...]:
        return self._cells_with(BOX)

    @cached_property
    def goals(self) -> tuple[int, ...]:
        return self._cells_with(GOAL)

    def _cells_with(self, flag: int) -> tuple[int, ...]:
        return tuple(cell for cell, content in enumerate(self.cells) if content & flag)

    @property
    def player(self) -> int:
        """The player's cell. Valid only for a level with exactly one player."""
        (player,) = self.players
        return player

    @cached_property
    def reach(self) -> frozenset[int]:
        """Cells connected to the players through cells that are not walls; boxes do not block."""
        return self.flood(self.players, WALL)

    @cached_property
    def region(self) -> frozenset[int]:
        """Cells the player can walk to without a push."""
        return self.flood(self.players, WALL | BOX)

    def flood(self, start: Iterable[int], stops: int) -> frozenset[int]:
        """Return the cells connected to *start* through cells without any of the flags *stops*."""
        seen = set(start)
        stack = list(seen)
        while stack:
            for cell in self.neighbours(stack.pop()):
                if cell not in seen and not self.cells[cell] & stops:
                    seen.add(cell)
                    stack.append(cell)
        return frozenset(seen)

    def neighbours(self, cell: int) -> Iterator[int]:
        """Yield the cells above, below, left and right that are inside the rectangle."""
        row, column = divmod(cell, self.width)
        if row:
            yield cell - self.width
        if row < self.height - 1:
            yield cell + self.width
        if column:
            yield cell - 1
        if column < self.width - 1:
            yield cell + 1

    @cached_property
    def is_closed(self) -> bool:
        """True if the players' reach does not touch the edge of the rectangle."""
        return not any(self._is_on_edge(cell) for cell in self.reach)

    def _is_on_edge(self, cell: int) -> bool:
        row, column = divmod(cell, self.width)
        return row in (0, self.height - 1) or column in (0, self.width - 1)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """All faults of the level, in the order of `Fault`. Empty for an ordinary level."""
        return tuple(self._find_problems())

    def _find_count_problems(self) -> Iterator[Problem]:
        """Yield the problems found by counting alone; no replay is possible with any of them."""
        if len(self.players) != 1:
            yield Problem(Fault.PLAYERS, {"players": len(self.players)}, self.players)
        if not self.boxes:
            yield Problem(Fault.NO_BOXES)
        if len(self.boxes) != len(self.goals):
            yield Problem(Fault.BOXES_GOALS, {"boxes": len(self.boxes), "goals": len(self.goals)})

    def _find_problems(self) -> Iterator[Problem]:
        yield from self._find_count_problems()
        if not self.is_closed:
            yield Problem(Fault.OPEN, cells=tuple(sorted(filter(self._is_on_edge, self.reach))))
        if len(self.players) == 1:
            if boxes := tuple(box for box in self.boxes if box not in self.reach):
                yield Problem(Fault.UNREACHABLE_BOX, cells=boxes)
            if goals := tuple(goal for goal in self.goals if goal not in self.reach):
                yield Problem(Fault.UNREACHABLE_GOAL, cells=goals)
        if self.boxes and self.boxes == self.goals:
            yield Problem(Fault.SOLVED_AT_START)

    @cached_property
    def unjudgeable(self) -> Problem | None:
        """The first problem that makes a replay impossible, or None."""
        return next(self._find_count_problems(), None)

    @cached_property
    def arena(self) -> "Arena":
        """The level prepared for replay: see `Arena`. Valid only for a level with exactly one player."""
        stride = self.width + 2
        squares = bytearray([OUTSIDE]) * (stride * (self.height + 2))
        goals = bytearray(len(squares))
        for cell, content in enumerate(self.cells):
            row, column = divmod(cell, self.width)
            square = (row + 1) * stride + column + 1
            squares[square] = BLOCKED if content & WALL else CRATE if content & BOX else FREE
            goals[square] = bool(content & GOAL)
        row, column = divmod(self.player, self.width)
        deltas = {"l": -1, "u": -stride, "r": 1, "d": stride}
        deltas |= {letter.upper(): delta for letter, delta in deltas.items()}
        return Arena(
            stride,
            tuple(squares),
            tuple(goals),
            (row + 1) * stride + column + 1,
            deltas,
            boxes=len(self.boxes),
            home=len(set(self.boxes) & set(self.goals)),
        )

    # Symmetry

    def transform(self, symmetry: int) -> "Level":
        """Return the level under one of the eight symmetries: from 4 on mirrored left to right, then turned clockwise.

        >>> print(Level.parse("###|#@#|#$#|#.#|###").transform(1))
        #####
        #.$@#
        #####
        """
        rows = [list(self.cells[at : at + self.width]) for at in range(0, len(self.cells), self.width)]
        if symmetry >= 4:
            rows = [row[::-1] for row in rows]
        for _ in range(symmetry % 4):
            rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        return Level(len(rows[0]), len(rows), bytes(cell for row in rows for cell in row))

    @cached_property
    def symmetries(self) -> tuple[int, ...]:
        """Numbers of the symmetries (see `transform`) that map the level to itself; always includes 0.

        >>> Level.parse("###|#@#|#$#|#.#|###").symmetries
        (0, 4)
        """
        return tuple(symmetry for symmetry in range(8) if self.transform(symmetry) == self)

    @cached_property
    def canonical_form(self) -> str:
        """Text that is equal for all levels that differ only in ways a player never notices.

        Ignores rotation, reflection, walls and decoration out of reach, and the player's start cell within its region.
        Raise BadLevel unless there is exactly one player. Time O(cells).
        """
        if len(self.players) != 1:
            raise BadLevel(problem=Problem(Fault.PLAYERS, {"players": len(self.players)}))
        return min(self.reached_part().transform(symmetry)._text_with_first_player() for symmetry in range(8))

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical form: equal for levels that a player cannot distinguish."""
        return hashlib.sha256(self.canonical_form.encode("ascii")).hexdigest()

    def reached_part(self) -> "Level":
        """Return only the reachable part, enclosed in walls; an open edge gets a wall too."""
        rows = [divmod(cell, self.width) for cell in self.reach]
        top, bottom = min(row for row, _ in rows), max(row for row, _ in rows)
        left, right = min(column for _, column in rows), max(column for _, column in rows)
        width, height = right - left + 3, bottom - top + 3
        cells = bytearray([WALL]) * (width * height)
        for cell in self.reach:
            row, column = divmod(cell, self.width)
            cells[(row - top + 1) * width + column - left + 1] = self.cells[cell]
        return Level(width, height, bytes(cells))

    def _text_with_first_player(self) -> str:
        cells = bytearray(self.cells)
        cells[self.player] &= ~PLAYER
        cells[min(self.region)] |= PLAYER
        return Level(self.width, self.height, bytes(cells)).published_text


def _decode_lines(text: str) -> Iterator[str]:
    """Yield the lines of one board with tabs and run-lengths expanded. Raise errors with line and column."""
    lines = _LINE_END.split(text)
    nonblank = [number for number, line in enumerate(lines) if line.strip(" \t")]
    decoded = 0
    for number, line in enumerate(lines):
        if not line.strip(" \t"):
            if nonblank and nonblank[0] < number < nonblank[-1]:
                raise BlankLine(line=number + 1, column=1, line_number=number + 1)
            continue
        try:
            row = runlength.decode_row(line.rstrip("\t "), _SYMBOLS, limit=MAX_SYMBOLS)
        except PuzzleError as error:
            raise error.at(line=number + 1, column=(error.index or 0) + 1) from None
        decoded += len(row)
        if decoded > MAX_SYMBOLS:
            raise TooLong(size=decoded, limit=MAX_SYMBOLS)
        yield row
