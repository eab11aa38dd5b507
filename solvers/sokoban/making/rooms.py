"""Random rooms: walls and goals, as rows of cells, from which the search for levels starts."""

import random

from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL, Level


def random_room(rng: random.Random, walls: Level | None, width: int, height: int, boxes: int) -> list[bytearray]:
    """Return rows of walls and goals: the given walls or a room with random walls, and goals on random free squares."""
    if walls is not None:
        floor = walls.reach if walls.players else frozenset(range(len(walls.cells)))
        indices = range(len(walls.cells))
        flat = bytearray(WALL if walls.cells[cell] & WALL or cell not in floor else 0 for cell in indices)
        rows = [flat[row * walls.width : (row + 1) * walls.width] for row in range(walls.height)]
    else:
        rows = [bytearray([WALL] * (width + 2)) for _ in range(height + 2)]
        for row in rows[1:-1]:
            row[1:-1] = bytes(WALL if rng.random() < 0.2 else 0 for _ in range(width))
    free = [(row, column) for row, cells in enumerate(rows) for column, cell in enumerate(cells) if not cell & WALL]
    if len(free) < boxes + 2:
        if walls is None and width * height >= 2 * boxes + 4:
            return random_room(rng, walls, width, height, boxes)
        raise ValueError(f"there is no room for {boxes} boxes on {len(free)} squares")
    for line, column in rng.sample(free, boxes):
        rows[line][column] |= GOAL
    return rows


def mutate_room(rng: random.Random, rows: list[bytearray], *, may_build: bool) -> list[bytearray]:
    """Return the board with goals moved or, in a generated room, walls added or removed."""
    rows = [bytearray(row) for row in rows]
    places = [(row, column) for row in range(1, len(rows) - 1) for column in range(1, len(rows[0]) - 1)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        goals = [(row, column) for row, column in places if rows[row][column] & GOAL]
        row, column = rng.choice(places)
        if may_build and rng.random() < 0.5 and not rows[row][column] & GOAL:
            rows[row][column] ^= WALL
        elif rows[row][column] == 0 and goals:
            old = rng.choice(goals)
            rows[old[0]][old[1]] &= ~GOAL
            rows[row][column] |= GOAL
    return rows


def with_pieces(flat: bytes, width: int, boxes: list[int], player: int) -> Level:
    """Return the level of *flat*, walls and goals in rows of *width*, with boxes and a player on these cells."""
    cells = bytearray(flat)
    for box in boxes:
        cells[box] |= BOX
    cells[player] |= PLAYER
    return Level.from_cells([cells[at : at + width] for at in range(0, len(cells), width)])
