"""Klotski board: parse a layout, validate it, mirror it, and write it."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, Self

from solvers.choices import Choice
from solvers.errors import TooLong
from solvers.klotski.errors import BrokenPiece, WrongPieces, WrongRows

ROWS, COLUMNS = 5, 4
CELLS = ROWS * COLUMNS
EMPTY = "."
EXIT = 13  # the cell that the top left cell of the 2x2 block must reach to leave the board
MAX_TEXT = 1_000


class Kind(StrEnum):
    """The kind of a piece; the value is its letter in texts."""

    CAO = "C"
    HORIZONTAL = "H"
    VERTICAL = "V"
    SOLDIER = "o"

    @property
    def rows(self) -> int:
        return 2 if self in (Kind.CAO, Kind.VERTICAL) else 1

    @property
    def columns(self) -> int:
        return 2 if self in (Kind.CAO, Kind.HORIZONTAL) else 1

    def fits(self, cell: int) -> bool:
        """Return whether such a piece fits on the board with its top left cell at *cell*."""
        return cell // COLUMNS + self.rows <= ROWS and cell % COLUMNS + self.columns <= COLUMNS


KIND_OF_SIZE = {(kind.rows, kind.columns): kind for kind in Kind}

_EMPTY_SIGNS = frozenset(".-_0空")
_SOLDIER_SIGNS = frozenset("oO兵卒")
_KIND_SIGNS = frozenset("CHV") | _SOLDIER_SIGNS
_BETWEEN_ROWS = "|/,;"


class Piece(NamedTuple):
    """A piece on the board; *cell* is its top left cell, counted row by row from 0."""

    kind: Kind
    cell: int
    name: str = ""

    @property
    def cells(self) -> tuple[int, ...]:
        return _CELLS_OF[self.kind][self.cell]


def _cells(kind: Kind, cell: int) -> tuple[int, ...]:
    if not kind.fits(cell):
        return ()
    return tuple(cell + row * COLUMNS + column for row in range(kind.rows) for column in range(kind.columns))


# Cells covered by a piece, and the same as a bit set, by its top left cell; empty if it would extend over the edge.
_CELLS_OF = {kind: tuple(_cells(kind, cell) for cell in range(CELLS)) for kind in Kind}
COVER = {kind: tuple(sum(1 << at for at in cells) for cells in by_cell) for kind, by_cell in _CELLS_OF.items()}


class Mirror(Choice):
    """The three mirror images of a board: 镜影 left-right, 倒影 upside down, 反影 rotated by 180 degrees."""

    LEFT_RIGHT = "mirror"
    UPSIDE_DOWN = "upside-down"
    ROTATED = "rotated"

    def cell(self, cell: int) -> int:
        """Return the image of a cell.

        >>> [mirror.cell(0) for mirror in Mirror]
        [3, 16, 19]
        """
        row, column = divmod(cell, COLUMNS)
        if self != Mirror.UPSIDE_DOWN:
            column = COLUMNS - 1 - column
        if self != Mirror.LEFT_RIGHT:
            row = ROWS - 1 - row
        return row * COLUMNS + column


@dataclass(frozen=True)
class Layout:
    """Positions of the pieces: 20 letters, row by row, and the *names* of the pieces in the order of their first cells.

    >>> layout = Layout.parse("VCCV VCCV VHHV VooV o..o")
    >>> print(layout)
    VCCV
    VCCV
    VHHV
    VooV
    o..o
    >>> layout.horizontals, layout.is_solved, str(layout.reflect(Mirror.UPSIDE_DOWN))[:4]
    (1, False, 'o..o')

    Layouts without names are equal if pieces of the same kinds are on the same cells.
    """

    cells: str
    names: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a board: by kinds (`C` 2x2, `H`, `V`, `o`, `.` empty) or with a different character for every piece.

        Rows are separated by line ends, blanks or one of `|/,;`, or all twenty cells are in one row. `-`, `_`, `0` and
        `空` are empty cells too; 兵 and 卒 are soldiers.

        >>> Layout.parse("张曹曹马|张曹曹马|黄关关赵|黄兵兵赵|兵..兵").cells
        'VCCVVCCVVHHVVooVo..o'
        >>> Layout.parse("aCCb/aCCb/cddg/c12g/3..4").names
        ('a', 'C', 'b', 'c', 'd', 'g', '1', '2', '3', '4')

        Raise TooLong, WrongRows, BrokenPiece or WrongPieces.
        """
        if len(text) > MAX_TEXT:
            raise TooLong(size=len(text), limit=MAX_TEXT)
        signs = _split_signs(text)
        characters = [EMPTY if sign.character in _EMPTY_SIGNS else sign.character for sign in signs]
        by_kind = set(characters) <= _KIND_SIGNS | {EMPTY}
        pieces: list[Piece] = []
        covered: set[int] = set()
        for cell, character in enumerate(characters):
            if cell in covered or character == EMPTY:
                continue
            kind = _kind_at(characters, cell, by_kind=by_kind)
            piece = Piece(kind, cell, character) if kind else None
            if piece is None or not covered.isdisjoint(piece.cells):
                raise BrokenPiece(character=character, line=signs[cell].line, column=signs[cell].column)
            covered.update(piece.cells)
            pieces.append(piece)
        _check_numbers(pieces)
        return cls.of(pieces)

    @classmethod
    def of(cls, pieces: list[Piece]) -> Self:
        """Return the layout of these pieces, which must not overlap. Names are stored if they are all different."""
        cells = [EMPTY] * CELLS
        for piece in pieces:
            for cell in piece.cells:
                cells[cell] = piece.kind
        names = [piece.name for piece in sorted(pieces, key=lambda piece: piece.cell)] if pieces[0].name else []
        return cls("".join(cells), tuple(names) if len(set(names)) == len(pieces) else ())

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The ten pieces in the order of their first cells."""
        pieces: list[Piece] = []
        covered: set[int] = set()
        for cell, letter in enumerate(self.cells):
            if letter != EMPTY and cell not in covered:
                name = self.names[len(pieces)] if self.names else ""
                pieces.append(Piece(Kind(letter), cell, name))
                covered.update(pieces[-1].cells)
        return tuple(pieces)

    @cached_property
    def free(self) -> int:
        """The empty cells as a bit set."""
        return sum(1 << cell for cell, letter in enumerate(self.cells) if letter == EMPTY)

    @property
    def horizontals(self) -> int:
        """Number of horizontal dominoes, 0 to 5. No move changes it."""
        return self.cells.count(Kind.HORIZONTAL) // 2

    @property
    def is_solved(self) -> bool:
        """True if the 2x2 block is at the exit, in the middle of the two lowest rows."""
        return self.cells.index(Kind.CAO) == EXIT

    def reflect(self, mirror: Mirror | str) -> "Layout":
        """Return the mirror image; names move with their pieces."""
        mirror = Mirror(mirror)
        return Layout.of([piece._replace(cell=min(map(mirror.cell, piece.cells))) for piece in self.pieces])

    def with_names(self) -> "Layout":
        """Return the same board with its pieces named, if they are not: C, dominoes a to e, soldiers 1 to 4.

        >>> print(Layout.parse("VCCVVCCVVHHVVooVo..o").with_names().named_text.replace(chr(10), "/"))
        aCCb/aCCb/cdde/c12e/3..4
        """
        if self.names:
            return self
        soldiers, dominoes = iter("1234"), iter("abcde")
        letters = {Kind.CAO: iter("C"), Kind.SOLDIER: soldiers, Kind.HORIZONTAL: dominoes, Kind.VERTICAL: dominoes}
        return Layout(self.cells, tuple(next(letters[piece.kind]) for piece in self.pieces))

    @property
    def named_text(self) -> str:
        """Five lines with the first character of each piece's name on its cells."""
        cells = [EMPTY] * CELLS
        for piece in self.with_names().pieces:
            for cell in piece.cells:
                cells[cell] = piece.name[:1]
        return _format_rows("".join(cells))

    def __str__(self) -> str:
        return _format_rows(self.cells)


class _Sign(NamedTuple):
    character: str
    line: int
    column: int


def _split_signs(text: str) -> list[_Sign]:
    """Return the twenty cells of a text with their line and column."""
    rows: list[list[_Sign]] = []
    for number, line in enumerate(text.splitlines(), 1):
        signs = [_Sign(character, number, column) for column, character in enumerate(line, 1)]
        for is_between, row in groupby(signs, lambda sign: sign.character in _BETWEEN_ROWS or sign.character.isspace()):
            if not is_between:
                rows.append(list(row))
    lengths = [len(row) for row in rows]
    if lengths not in ([COLUMNS] * ROWS, [CELLS]):
        wrong = next((row for row in rows if len(row) != COLUMNS), rows[min(len(rows) - 1, ROWS)] if rows else None)
        place = {"line": wrong[0].line, "column": wrong[0].column} if wrong else {}
        shown = ", ".join(map(str, lengths[:8])) + (" ..." if len(lengths) > 8 else "")
        raise WrongRows(found=shown or "0", **place)
    return [sign for row in rows for sign in row]


def _kind_at(characters: list[str], cell: int, *, by_kind: bool) -> Kind | None:
    """Return the kind of the piece whose first cell is *cell*, or None if its cells do not form one."""
    character = characters[cell]
    if by_kind or character in "兵卒":
        kind = Kind.SOLDIER if character in _SOLDIER_SIGNS else Kind(character)
    else:
        cells = [at for at, other in enumerate(characters) if other == character]
        rows = cells[-1] // COLUMNS - cell // COLUMNS + 1
        columns = max(at % COLUMNS for at in cells) - cell % COLUMNS + 1
        if (rows, columns) not in KIND_OF_SIZE or len(cells) != rows * columns:
            return None
        kind = KIND_OF_SIZE[rows, columns]
    return kind if kind.fits(cell) and all(characters[at] == character for at in Piece(kind, cell).cells) else None


def _check_numbers(pieces: list[Piece]) -> None:
    kinds = Counter(piece.kind for piece in pieces)
    blocks, soldiers = kinds[Kind.CAO], kinds[Kind.SOLDIER]
    dominoes = kinds[Kind.HORIZONTAL] + kinds[Kind.VERTICAL]
    if (blocks, dominoes, soldiers) != (1, 5, 4):
        empty = CELLS - 4 * blocks - 2 * dominoes - soldiers
        raise WrongPieces(blocks=blocks, dominoes=dominoes, soldiers=soldiers, empty=empty)


def _format_rows(cells: str) -> str:
    return "\n".join(cells[at : at + COLUMNS] for at in range(0, CELLS, COLUMNS))
