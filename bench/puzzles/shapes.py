"""Small boards of eight shapes, solvable or not, on which a search through every position is quick."""

import random
from collections.abc import Callable

from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL, Level
from tests.solvers.sokoban.solving.full_search import pull_about

Rows = list[list[int]]


def open_floor(chance: random.Random) -> Rows:
    """Return a room without inner walls."""
    return _room(chance.randint(3, 5), chance.randint(3, 4))


def pillars(chance: random.Random) -> Rows:
    """Return a room with walls on up to a third of its squares."""
    return _with_walls(chance, _room(5, chance.randint(3, 5)), 3)


def corridor(chance: random.Random) -> Rows:
    """Return a corridor with nooks along one side."""
    length = chance.randint(6, 11)
    return [[0] * length, [chance.choice((0, WALL)) for _ in range(length)]]


def two_rooms(chance: random.Random) -> Rows:
    """Return two rooms joined by a door one square wide."""
    rows = _room(chance.randint(6, 7), 3)
    wall, door = chance.randint(2, 4), chance.randrange(3)
    for number, row in enumerate(rows):
        row[wall] = 0 if number == door else WALL
    return rows


def ring(chance: random.Random) -> Rows:
    """Return a way round a block, with a nook or two in it."""
    rows = _room(chance.randint(5, 6), chance.randint(4, 5))
    inner = [(row, column) for row in range(1, len(rows) - 1) for column in range(1, len(rows[0]) - 1)]
    for row, column in inner:
        rows[row][column] = WALL
    for row, column in chance.sample(inner, chance.randint(0, 2)):
        rows[row][column] = 0
    return rows


def maze(chance: random.Random) -> Rows:
    """Return passages one square wide, without loops at first and then with two openings."""
    rows = [[0 if row % 2 == column % 2 == 0 else WALL for column in range(5)] for row in range(5)]
    reached, todo = {(0, 0)}, [(0, 0)]
    while todo:
        row, column = todo[-1]
        ways = [(row + down, column + right) for down, right in ((0, 2), (2, 0), (0, -2), (-2, 0))]
        ways = [way for way in ways if way not in reached and 0 <= way[0] < 5 and 0 <= way[1] < 5]
        if ways:
            way = chance.choice(ways)
            rows[(row + way[0]) // 2][(column + way[1]) // 2] = 0
            reached.add(way)
            todo.append(way)
        else:
            todo.pop()
    for _ in range(2):
        rows[chance.randrange(5)][chance.randrange(5)] = 0
    return rows


def mirrored(chance: random.Random) -> Rows:
    """Return a room whose walls and goals look the same in a mirror."""
    rows = [row + row[1::-1] for row in _with_walls(chance, _room(3, chance.randint(3, 5)), 4)]
    free = [(row, column) for row in range(len(rows)) for column in (0, 1) if not rows[row][column]]
    row, column = chance.choice(free)
    rows[row][column] = rows[row][4 - column] = GOAL
    return rows


def crowded(chance: random.Random) -> Rows:
    """Return a small room with boxes on a third of its squares."""
    return _with_walls(chance, _room(4, 3), 6)


SHAPES: tuple[Callable[[random.Random], Rows], ...] = (
    open_floor, pillars, corridor, two_rooms, ring, maze, mirrored, crowded,
)  # fmt: skip


def board_of(shape: Callable[[random.Random], Rows], chance: random.Random) -> Level:
    """Return a level of this shape; in two of three the boxes were pulled from their goals, so it has a solution."""
    while True:
        rows = shape(chance)
        free = [(number, at) for number, row in enumerate(rows) for at, cell in enumerate(row) if not cell & WALL]
        goals = {(row, column) for row, column in free if rows[row][column]}
        boxes = len(goals) or (4 if shape is crowded else chance.randint(1, 3))
        if len(free) < 2 * boxes + 1:
            continue
        goals = goals or set(chance.sample(free, boxes))
        pulled = chance.random() < 2 / 3
        placed = goals if pulled else set(chance.sample(free, boxes))
        for row, column in free:
            rows[row][column] = GOAL * ((row, column) in goals) | BOX * ((row, column) in placed)
        row, column = chance.choice([square for square in free if square not in placed])
        rows[row][column] |= PLAYER
        width = len(rows[0]) + 2
        walled = [[WALL] * width, *([WALL, *row, WALL] for row in rows), [WALL] * width]
        level = Level.from_cells(walled)
        level = pull_about(chance, level) if pulled else level
        if level:
            return level


def _room(width: int, height: int) -> Rows:
    return [[0] * width for _ in range(height)]


def _with_walls(chance: random.Random, rows: Rows, part: int) -> Rows:
    """Put walls on at most a *part*-th of the squares."""
    squares = [(row, column) for row in range(len(rows)) for column in range(len(rows[0]))]
    for row, column in chance.sample(squares, chance.randint(0, len(squares) // part)):
        rows[row][column] = WALL
    return rows
