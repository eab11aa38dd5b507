"""Levels and solutions for benches, the same on every machine."""

import random

from solvers.sokoban.level import BOX, FLOOR, GOAL, PLAYER, WALL, Level
from solvers.sokoban.paths import push_paths
from solvers.sokoban.playback import Playback
from solvers.sokoban.position import Position

_SHUTTLE = "##########|#.-$@$-.-#|#--------#|##########"
_LEFT, _RIGHT = "LdlluRdrru", "RdrruLdllu"  # push a box right and back, or left and back
_SOLVE = "LLrrRR"


def room(side: int, *, walls: float, boxes: int, seed: int = 1) -> Level:
    """Return a square room of *side* columns with this share of inner walls, boxes on their goals, and a player."""
    chance = random.Random(seed)
    inside = [[WALL if chance.random() < walls else FLOOR for _ in range(side - 2)] for _ in range(side - 2)]
    free = [(row, column) for row, line in enumerate(inside) for column, cell in enumerate(line) if cell == FLOOR]
    places = chance.sample(free, boxes + 1)
    for row, column in places[1:]:
        inside[row][column] = BOX | GOAL
    inside[places[0][0]][places[0][1]] = PLAYER
    return Level.from_cells([[WALL] * side, *([WALL, *line, WALL] for line in inside), [WALL] * side])


def long_game(moves: int) -> tuple[Level, str]:
    """Return a tiny level and a solution of at least *moves* moves that first shuttles two boxes in random order."""
    chance = random.Random(1)
    rounds = "".join(chance.choices((_LEFT, _RIGHT), k=-(-moves // len(_LEFT))))
    return Level.parse(_SHUTTLE), rounds + _SOLVE


def pushing_game(side: int, boxes: int, moves: int) -> tuple[Level, str]:
    """Return a room and a solution of at least *moves* moves that pushes random boxes to random cells.

    The goals are where the boxes end up.
    """
    chance = random.Random(1)
    level = room(side, walls=0.1, boxes=boxes)
    without_goals = Level(level.width, level.height, bytes(content & ~GOAL for content in level.cells))
    lurd, position = "", Position.start(level)
    while len(lurd) < moves:
        paths = push_paths(without_goals, position, chance.choice(position.boxes))
        if paths.targets:
            lurd += paths.to(chance.choice(sorted(paths.targets)))
            position = Playback(without_goals, lurd)[len(lurd)]
    cells = bytearray(without_goals.cells)
    for box in position.boxes:
        cells[box] |= GOAL
    return Level(level.width, level.height, bytes(cells)), lurd
