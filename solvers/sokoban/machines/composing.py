"""Compose a level from boards placed on a floor, port to port, with one box for each pair of adjacent ports."""

from collections.abc import Iterable
from dataclasses import dataclass

from solvers.sokoban.machines.gadgets import BOX, FLOOR, WALL, Gadget

GOAL, DONE, MAN = ".", "*", "@"
_AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass(frozen=True)
class Part:
    """*gadget* with its top left square at *row*, *column* (may be negative); *inside*: ports that hold a box."""

    gadget: Gadget
    row: int
    column: int
    inside: str = ""


def compose(boards: Iterable[Part]) -> str:
    """Return the rows of a level. Boxes are on goals, except on boards with goals of their own. The player is outside.

    Raise ValueError if boards overlap, a port has no counterpart, two adjacent ports have no box or two, or the player
    could come in at a border square that is not an entrance.
    """
    cells: dict[tuple[int, int], str] = {}
    ports: dict[tuple[int, int], bool] = {}
    closed_sides = set()
    for part in boards:
        gadget = part.gadget
        letters = {cell: letter for letter, cell, _step in gadget.ports}
        for at, sign in enumerate(gadget.text):
            down, right = divmod(at, gadget.width)
            cell = part.row + down, part.column + right
            if cell in cells:
                raise ValueError(f"Two boards overlap at {cell}.")
            if at in letters:
                ports[cell] = letters[at] in part.inside
                cells[cell] = DONE if ports[cell] else FLOOR
            elif sign == BOX:
                cells[cell] = BOX if GOAL in gadget.text else DONE
            else:
                cells[cell] = sign if sign in (WALL, GOAL) else FLOOR
            if at in letters or sign == FLOOR:
                closed_sides |= {(cell, neighbour) for neighbour in _border_neighbours(part, down, right)}
    for cell, neighbour in closed_sides:
        if (cell in ports) != (neighbour in ports) or (cell not in ports and cells.get(neighbour, WALL) != WALL):
            raise ValueError(f"{cell} is open to {neighbour}.")
        if cell in ports and ports[cell] == ports[neighbour]:
            raise ValueError(f"The edge between {cell} and {neighbour} needs one box.")
        cells.setdefault(neighbour, WALL)
    return _add_frame(cells)


def _border_neighbours(part: Part, down: int, right: int) -> Iterable[tuple[int, int]]:
    """Yield the cells next to a board's square that are outside the board."""
    for down_step, right_step in _AROUND:
        if not (0 <= down + down_step < len(part.gadget.rows) and 0 <= right + right_step < part.gadget.width):
            yield part.row + down + down_step, part.column + right + right_step


def _add_frame(cells: dict[tuple[int, int], str]) -> str:
    rows, columns = sorted(row for row, _column in cells), sorted(column for _row, column in cells)
    lines = []
    for row in range(rows[0] - 2, rows[-1] + 3):
        line = ""
        for column in range(columns[0] - 2, columns[-1] + 3):
            is_frame = row in (rows[0] - 2, rows[-1] + 2) or column in (columns[0] - 2, columns[-1] + 2)
            line += WALL if is_frame else cells.get((row, column), FLOOR)
        lines.append(line)
    lines[1] = WALL + MAN + lines[1][2:]
    return "\n".join(lines)
