"""Outline of a set of cells as an SVG path: one closed line around each connected part and each hole."""

from collections.abc import Collection, Iterator
from itertools import pairwise

_RIGHT, _DOWN, _LEFT, _UP = range(4)
# By direction: end of a side, and the cell beyond it, as (column, row) offsets.
_STEP = ((1, 0), (0, 1), (-1, 0), (0, -1))
_BEYOND = ((0, -1), (1, 0), (0, 1), (-1, 0))
_START = ((0, 0), (1, 0), (1, 1), (0, 1))

Corner = tuple[int, int, int]


def outline(cells: Collection[int], width: int, radius: float = 0) -> str:
    """Return the outline of *cells* on a board *width* wide, one unit per cell, with round corners. Time O(cells).

    >>> outline([0, 1, 3], 3)
    'M0 0h2v1h-1v1h-1z'
    """
    return "".join(_path(loop, radius) for loop in loops(cells, width))


def loops(cells: Collection[int], width: int) -> Iterator[list[Corner]]:
    """Yield each closed line as corners (column, row, direction of departure), with the inside on the right."""
    sides = _sides(cells, width)
    for start in sorted(sides, key=lambda at: (at[1], at[0])):
        while start in sides:
            yield _line_from(start, sides)


def _line_from(start: tuple[int, int], sides: dict[tuple[int, int], list[int]]) -> list[Corner]:
    """Remove one closed line from *sides* and return its corners."""
    column, row = start
    direction = min(sides[start])
    first, line, is_closed = direction, [], False
    while not is_closed:
        sides[column, row].remove(direction)
        if not sides[column, row]:
            del sides[column, row]
        column, row = column + _STEP[direction][0], row + _STEP[direction][1]
        is_closed = (column, row) == start
        # If two cells touch only at a corner, each keeps its own line: turn right.
        turned = first if is_closed else min(sides[column, row], key=lambda other: (direction + 1 - other) % 4)
        if turned != direction:
            line.append((column, row, turned))
        direction = turned
    return line


def _sides(cells: Collection[int], width: int) -> dict[tuple[int, int], list[int]]:
    """Return the sides between a cell and a non-cell, by start point, with the cell on their right."""
    within = {divmod(cell, width)[::-1] for cell in cells}
    sides: dict[tuple[int, int], list[int]] = {}
    for column, row in within:
        for direction in range(4):
            if (column + _BEYOND[direction][0], row + _BEYOND[direction][1]) not in within:
                at = column + _START[direction][0], row + _START[direction][1]
                sides.setdefault(at, []).append(direction)
    return sides


def _path(line: list[Corner], radius: float) -> str:
    column, row, direction = line[-1]
    across, down = _STEP[direction]
    path = [f"M{_number(column + across * radius)} {_number(row + down * radius)}"]
    for next_column, next_row, turned in line:
        length = (next_column - column) * across + (next_row - row) * down - 2 * radius
        is_last = (next_column, next_row, turned) == line[-1]
        if radius or not is_last:
            path.append(f"{'hv'[direction % 2]}{_number((across + down) * length)}")
        before = across * radius, down * radius
        column, row, direction = next_column, next_row, turned
        across, down = _STEP[direction]
        if radius:
            path.append(_curve(*before, before[0] + across * radius, before[1] + down * radius))
    return "".join([*path, "z"])


def _curve(*values: float) -> str:
    """Return a curve command with separators only where the numbers would run together."""
    numbers = [_number(value) for value in values]
    parted = (
        number if number[0] == "-" or (number[0] == "." in before) else f" {number}"
        for before, number in pairwise(numbers)
    )
    return f"q{numbers[0]}{''.join(parted)}"


def _number(value: float) -> str:
    return f"{round(value, 2):g}".replace("0.", ".", 1) if abs(value) < 1 else f"{round(value, 2):g}"
