"""A hall of 50 x 50 cells with one box, to time path searches, in the manner of the published level 一箭十万.

One-cell corridors form a maze with loops: to turn the box at a junction, the player must walk round a loop to the other
side of it. So a search over (square, side of the player) has thousands of states, and a search that asks by flood fill
whether the player can get round the box does so for each of them.

Run it to write the level: `python -m solvers.sokoban.making.hall`.
"""

import sys
from functools import cache
from pathlib import Path
from random import Random

from solvers.sokoban.level import Level
from solvers.sokoban.paths import push_paths
from solvers.sokoban.position import Position

FILE = Path(__file__).with_name("hall.xsb")
_SIZE, _JUNCTIONS, _LOOPS, _SEED = 50, 24, 220, 9


@cache
def hall() -> Level:
    """Return the hall, read from its file."""
    return Level.parse(FILE.read_text(encoding="ascii").partition("Title:")[0])


def make_hall() -> str:
    """Return the rows of the hall.

    The box is in the corridor nearest to the middle, the player left of it, and the goal on the square that takes the
    most pushes. Of 40 halls with 120 to 280 loops this one takes the most.
    """
    rows = _make_maze(Random(_SEED))  # noqa: S311 - no secret; `random` gives the same numbers in every version
    middle = _SIZE // 2 - 1
    corridors = (
        (row, column)
        for row in range(1, _SIZE - 1)
        for column in range(2, _SIZE - 2)
        if rows[row][column - 1] == rows[row][column] == rows[row][column + 1] == "-"
    )
    row, column = min(corridors, key=lambda place: ((place[0] - middle) ** 2 + (place[1] - middle) ** 2, place))
    rows[row][column - 1 : column + 1] = "@$"
    level = Level.parse("\n".join(map("".join, rows)))
    paths = push_paths(level, Position.start(level), row * _SIZE + column)
    goal = max(sorted(paths.targets), key=paths.pushes)
    rows[goal // _SIZE][goal % _SIZE] = "."
    return "\n".join(map("".join, rows))


def _make_maze(random: Random) -> list[list[str]]:
    """Return a maze: a random walk through all junctions, which steps back at dead ends, and further passages."""
    rows = [["#"] * _SIZE for _ in range(_SIZE)]
    trail, seen = [(0, 0)], {(0, 0)}
    while trail:
        row, column = trail[-1]
        rows[2 * row + 1][2 * column + 1] = "-"
        beside = ((row, column - 1), (row - 1, column), (row, column + 1), (row + 1, column))
        further = [(y, x) for y, x in beside if 0 <= y < _JUNCTIONS and 0 <= x < _JUNCTIONS and (y, x) not in seen]
        if not further:
            trail.pop()
            continue
        following = further[int(random.random() * len(further))]
        seen.add(following)
        trail.append(following)
        rows[row + following[0] + 1][column + following[1] + 1] = "-"
    closed = []
    for row in range(_JUNCTIONS):
        for column in range(_JUNCTIONS):
            closed += [(2 * row + 1, 2 * column + 2)] if column + 1 < _JUNCTIONS else []
            closed += [(2 * row + 2, 2 * column + 1)] if row + 1 < _JUNCTIONS else []
    closed = [(row, column) for row, column in closed if rows[row][column] == "#"]
    for _ in range(_LOOPS):
        row, column = closed.pop(int(random.random() * len(closed)))
        rows[row][column] = "-"
    return rows


if __name__ == "__main__":
    sys.stdout.write(f"{make_hall()}\nTitle: Hall of 50 by 50\nAuthor: Leitai\n")
