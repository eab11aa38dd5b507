"""Near copies of a level: boards that differ from it in what a player hardly notices, or in a few cells.

A contest helps nobody with a level that is being played, so it must recognise the level in altered boards.
"""

import sys
from collections.abc import Collection, Iterator
from functools import lru_cache

from solvers.sokoban.checks.deadlocks import dead_squares, frozen_boxes
from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL, Level

MOST_CELLS = 2_500  # in reach: the core of a larger board takes too long for a waiting reader
# Cells that may differ, of those on and beside a part of the floor: unrelated levels of collections differ in more.
_FIRST_CELLS, _PERCENT = 20, 18
_HALF_CELLS, _HALF_PERCENT = 50, 7
_LEAST_PERCENT = 40  # share of a level that a part of it has at least

_Cells = frozenset[complex]  # a cell is the complex number column + row·i
_Core = tuple[tuple[int, int, int], ...]  # row, column and content of each cell
_STEPS = (1, 1j, -1, -1j)
_STRIDE = 16
_LANE = 1 << 16  # one coefficient of a product
_BIAS = _LANE >> 1


def is_copy(board: Level, level: Level) -> bool:
    """Return whether both levels have the same core in some orientation: what remains without useless cells.

    >>> level = Level.parse("#######|#@-$-.#|#--#--#|#######")
    >>> is_copy(Level.parse("#######|###--##|#.-$-@#|#--#--#|#######"), level)
    True

    The core is boxes, goals and cells from which a lone box reaches a goal; without boxes on goals that are frozen
    from the start. Dead cells, sealed rooms, the border and the player's cell do not count. Dead-end corridors are
    compared with and without. Boards with more than MOST_CELLS cells in reach have no core.
    """
    return not _cores(board).isdisjoint(_cores(level))


@lru_cache(maxsize=64)
def _cores(level: Level) -> frozenset[_Core]:
    if len(level.players) != 1 or len(level.reach) > MOST_CELLS:
        return frozenset()
    whole = _with_walls(level, _frozen_on_goals(level))
    return frozenset(_core(form) for form in (whole, _with_walls(whole, _dead_ends(whole))) if form.boxes)


def _frozen_on_goals(level: Level) -> frozenset[int]:
    return frozen_boxes(level, level.boxes).intersection(level.goals)


def _core(level: Level) -> _Core:
    used = (level.reach - dead_squares(level)).union(level.boxes, level.goals)
    contents = {complex(*divmod(cell, level.width)): level.cells[cell] & ~PLAYER for cell in used}
    return min(_placed({_turn(cell, symmetry): contents[cell] for cell in contents}) for symmetry in range(8))


def _placed(contents: dict[complex, int]) -> _Core:
    """Return cells and contents in order, counted from the first row and column."""
    top, left = (min(getattr(cell, axis) for cell in contents) for axis in ("real", "imag"))
    return tuple(sorted((int(cell.real - top), int(cell.imag - left), what) for cell, what in contents.items()))


def _turn(cell: complex, symmetry: int) -> complex:
    return (cell.conjugate() if symmetry >= 4 else cell) * _STEPS[symmetry % 4]


def _with_walls(level: Level, cells: Collection[int]) -> Level:
    """Return *level* with walls on *cells*; a player there steps out to the first free cell in reach."""
    changed = bytearray(level.cells)
    for cell in cells:
        changed[cell] = WALL
    if level.player in cells:
        free = [cell for cell in level.reach if not changed[cell] & (WALL | BOX)]
        changed[min(free, default=level.player)] = PLAYER | changed[min(free, default=level.player)] & GOAL
    return Level(level.width, level.height, bytes(changed))


def _dead_ends(level: Level, stops: int = BOX | GOAL) -> set[int]:
    """Return the cells of corridors that end, up to the first fork or one of *stops*. Time O(cells)."""
    ends: set[int] = set()
    queue = list(level.reach)
    while queue:
        cell = queue.pop()
        beside = [other for other in level.neighbours(cell) if other in level.reach and other not in ends]
        if cell not in ends and len(beside) < 2 and not level.cells[cell] & stops:
            ends.add(cell)
            queue.extend(beside)
    return ends


def resembles(board: Level, level: Level) -> bool:
    """Return whether *board* contains most of *level*, or half of it, or is most of a part of it, in any orientation.

    >>> level = Level.parse("########|#--#---#|#.-$-$@#|#.-----#|#--#---#|########")
    >>> resembles(Level.parse("########|#--#---#|#--$-.@#|#.---$-#|#------#|########"), level)
    True
    >>> resembles(Level.parse("########|#@-----#|#-$#$--#|#-.-.--#|########"), level)
    False

    Compares floor and the walls beside it, and cells from which a lone box reaches a goal with those beside them; not
    the boxes, the goals and the player. Up to eight products of integers for each orientation.
    """
    if not board.players or not level.players:
        return False
    floors = _floors(level)
    # A level may itself be full of dead ends with goals: only those of the board are left out.
    pairs = [*zip(_floors(board), (*floors[:-1], floors[-2]), strict=True)]
    if len(board.boxes) > len(level.boxes):
        pairs += [(_free_floor(board), floors[0]), (_free_floor(board), _free_floor(level))]
    for one, other in dict.fromkeys(pairs):
        size, whole = _size(one), _size(other)
        if _has(one, other, _FIRST_CELLS, _PERCENT):
            return True
        if size < whole and 100 * size >= _LEAST_PERCENT * whole and _has(other, one, _FIRST_CELLS, _PERCENT):
            return True
    (floor, lively, *_), (played, played_lively, *_) = _floors(board), floors
    # A part that a straight wall cuts off has a face where the level goes on.
    is_part = _size(floor) < _size(played) and 100 * _size(floor) >= _LEAST_PERCENT * _size(played)
    if is_part and any(_has(played, floor, _FIRST_CELLS, _PERCENT, face) for face in _faces(floor)):
        return True
    # Dead cells dug in walls bring dead floor beside them to life: of the level only its walls are compared.
    if _has(lively, played_lively, _FIRST_CELLS, _PERCENT, played):
        return True
    return any(_has(floor, half, _HALF_CELLS, _HALF_PERCENT, played) for half in _halves(played))


@lru_cache(maxsize=24)
def _floors(level: Level) -> tuple[_Cells, ...]:
    """Return the cells in reach, those of them that are not dead, those without repeated rows, those without dead ends,
    and those without any dead ends, also if they hold boxes and goals.

    Boxes that are frozen on goals are walls: a player can put them in place of walls.
    """
    whole = _with_walls(level, _frozen_on_goals(level))
    dead_ends = (dead_squares(whole), _dead_ends(whole), _dead_ends(whole, stops=0))
    floor, lively, open_, bare = (_numbers(whole, whole.reach.difference(cells)) for cells in ((), *dead_ends))
    return floor, lively, _squeezed(_squeezed(floor)), open_, bare


@lru_cache(maxsize=24)
def _free_floor(level: Level) -> _Cells:
    """Return the cells in reach without boxes: a player can put boxes in place of walls, with floor behind them."""
    return _numbers(level, level.reach.difference(level.boxes))


def _squeezed(floor: _Cells) -> _Cells:
    """Return *floor* without rows that repeat the row before, mirrored so that columns become rows."""
    columns_of: dict[float, set[float]] = {}
    for cell in floor:
        columns_of.setdefault(cell.imag, set()).add(cell.real)
    rows = [columns_of[row] for row in sorted(columns_of)]
    kept = [row for at, row in enumerate(rows) if not at or row != rows[at - 1]]
    return frozenset(complex(number, column) for number, row in enumerate(kept) for column in row)


def _numbers(level: Level, cells: Collection[int]) -> _Cells:
    return frozenset(complex(cell % level.width, cell // level.width) for cell in cells)


def _beside(floor: _Cells) -> _Cells:
    return frozenset(cell + step for cell in floor for step in _STEPS) - floor


def _size(floor: _Cells) -> int:
    return len(floor) + len(_beside(floor))


def _faces(floor: _Cells) -> Iterator[_Cells]:
    """Yield the walls beyond the last row of *floor*, the first one, the last column and the first one."""
    walls = _beside(floor)
    for axis in ("imag", "real"):
        ends = [getattr(cell, axis) for cell in floor]
        for end in (max(ends) + 1, min(ends) - 1) if ends else ():
            yield frozenset(cell for cell in walls if getattr(cell, axis) == end)


def _halves(floor: _Cells) -> Iterator[_Cells]:
    """Yield the upper and the lower half of *floor*, the left and the right one."""
    rows, columns = sorted(cell.imag for cell in floor), sorted(cell.real for cell in floor)
    row, column = rows[len(rows) // 2], columns[len(columns) // 2]
    yield frozenset(cell for cell in floor if cell.imag < row)
    yield frozenset(cell for cell in floor if cell.imag >= row)
    yield frozenset(cell for cell in floor if cell.real < column)
    yield frozenset(cell for cell in floor if cell.real >= column)


def _has(floor: _Cells, part: _Cells, first: int, percent: int, whole: _Cells = frozenset()) -> bool:
    """Return whether *floor* agrees with *part* and the walls beside it, except for some cells, in any orientation.

    Parts of fewer than *first* cells are in many boards, so they do not count. Cells of *whole* are no walls.
    """
    walls = _beside(part) - whole
    cells = len(part) + len(walls)
    if not floor or not part or cells < first:
        return False
    least = len(part) - (cells - first) * percent // 100
    stride = max(_span(part | walls, "real"), _span(part | walls, "imag")) + _span(floor, "real")
    stride += -stride % _STRIDE  # a few strides, so that the polynomials of levels in play are cached
    board = _polynomial(floor, floor, stride)
    return any(_most_agreeing(board, turned) >= least for turned in _turned_polynomials(part, walls, stride))


def _most_agreeing(board: int, part: int) -> int:
    """Return the highest coefficient of the product: the agreeing cells at the best shift."""
    product = board * part
    count = product.bit_length() // 16 + 2
    lanes = product + _BIAS * (((1 << 16 * count) - 1) // (_LANE - 1))
    return max(memoryview(lanes.to_bytes(2 * count, sys.byteorder)).cast("H")) - _BIAS


@lru_cache(maxsize=192)
def _turned_polynomials(part: _Cells, walls: _Cells, stride: int) -> tuple[int, ...]:
    """Return the polynomials of *part* less those of *walls* in all orientations.

    The product of one with that of a board has one coefficient for each shift: the cells of *part* on the board's
    floor less those of *walls*. (It is that of the part turned by half, which is among the orientations, too.)
    """
    polynomials = []
    for symmetry in range(8):
        turned, turned_walls = (frozenset(_turn(cell, symmetry) for cell in cells) for cells in (part, walls))
        area = turned | turned_walls
        polynomials.append(_polynomial(turned, area, stride) - _polynomial(turned_walls, area, stride))
    return tuple(polynomials)


def _polynomial(cells: _Cells, area: _Cells, stride: int) -> int:
    """Return an integer with a 1 in the 16 bits of each cell, counted row by row from the corner of *area*.

    Sums stay below 2¹⁵: a level in a round has at most 100 × 100 cells.
    """
    left, top = (min(getattr(cell, axis) for cell in area) for axis in ("real", "imag"))
    lanes = bytearray(2 * stride * _span(area, "imag"))
    for cell in cells:
        lanes[2 * int((cell.imag - top) * stride + cell.real - left)] = 1
    return int.from_bytes(lanes, "little")


def _span(cells: _Cells, axis: str) -> int:
    numbers = [getattr(cell, axis) for cell in cells]
    return int(max(numbers) - min(numbers)) + 1
