"""Altered copies of levels, as a player makes them who wants a level in play solved by the site."""

from collections.abc import Callable, Iterator
from random import Random

from contest.library.own import graded
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.checks.deadlocks import dead_squares
from solvers.sokoban.formats import read_collection
from solvers.sokoban.level import BOX, FLOOR, GOAL, WALL
from solvers.sokoban.paths import push_paths
from solvers.sokoban.playback import Playback
from tests.solvers.shared_data import SHARED_DATA

FEWEST_BOXES = 2  # a single box is home after any solution and some pushes


def levels() -> list[Level]:
    """Return the site's own levels, and those of the shared data where it is there."""
    entries = list(graded.read())
    if SHARED_DATA.is_dir():
        for name in ("microban1.xsb", "xsokoban.xsb"):
            entries += read_collection((SHARED_DATA / "levels" / name).read_bytes()).entries
    boards = [entry.level for entry in entries]
    return [board for board in boards if not board.problems and len(board.boxes) >= FEWEST_BOXES]


def _padded(level: Level, rings: int = 1) -> Level:
    """Return *level* within more rings of walls."""
    rows = ["#" * rings + row + "#" * rings for row in level.rows()]
    border = ["#" * (level.width + 2 * rings)] * rings
    return Level.parse("\n".join([*border, *rows, *border]))


def _changed(level: Level, contents: dict[int, int]) -> Level:
    cells = bytearray(level.cells)
    for cell, content in contents.items():
        cells[cell] = content
    return Level(level.width, level.height, bytes(cells))


def _walls(level: Level, beside: range, chance: Random) -> Iterator[int]:
    """Yield the walls with so many cells in reach beside them, in any order."""
    walls = [cell for cell, content in enumerate(level.cells) if content & WALL]
    for cell in chance.sample(walls, len(walls)):
        if len(level.reach.intersection(level.neighbours(cell))) in beside:
            yield cell


def add_dead_floor(level: Level, chance: Random) -> Level:
    level = _padded(level)
    boards = ((wall, _changed(level, {wall: FLOOR})) for wall in _walls(level, range(1, 2), chance))
    return next(board for wall, board in boards if wall in dead_squares(board))


def remove_wall(level: Level, chance: Random) -> Level:
    level = _padded(level)
    inner = next(_walls(level, range(2, 5), chance), None)
    return _changed(level, {inner or next(_walls(level, range(1, 5), chance)): FLOOR})


def move_goal(level: Level, chance: Random) -> Level:
    ways = [
        (goal, cell)
        for goal in level.goals
        for cell in level.neighbours(goal)
        if cell in level.reach and not level.cells[cell] & GOAL
    ]
    goal, cell = chance.choice(ways)
    return _changed(level, {goal: level.cells[goal] - GOAL, cell: level.cells[cell] + GOAL})


def add_frozen_box(level: Level, chance: Random) -> Level:
    level = _padded(level)
    return _changed(level, {next(_walls(level, range(1, 2), chance)): BOX | GOAL})


def widen_border(level: Level, chance: Random) -> Level:
    wide = _padded(level, chance.randint(1, 4))
    corners = {cell: chance.choice((FLOOR, WALL)) for cell in range(wide.width)}
    return _changed(wide, corners)


def add_sealed_room(level: Level, chance: Random) -> Level:
    """Add a room that nothing reaches, empty or with a box on a goal."""
    level, room = _padded(level, 3), chance.choice((FLOOR, BOX | GOAL))
    corner = level.width + 1
    return _changed(level, {corner: FLOOR, corner + 1: FLOOR, corner + level.width: FLOOR} | {corner: room})


def _dig(level: Level, cell: int, step: int, length: int) -> Level:
    """Dig a corridor of at most *length* cells through walls alone, from *cell* in direction *step*."""
    dug = dict.fromkeys([cell], FLOOR)
    for _ in range(length - 1):
        cell += step
        column = cell % level.width
        if not (0 < column < level.width - 1 and level.width < cell < len(level.cells) - level.width):
            break
        if not level.cells[cell] & WALL:
            break
        dug[cell] = FLOOR
    return _changed(level, dug)


def add_corridor(level: Level, chance: Random) -> Level:
    """Dig a dead end of one to six cells away from the floor."""
    level = _padded(level, 7)
    wall = next(_walls(level, range(1, 2), chance))
    (floor,) = level.reach.intersection(level.neighbours(wall))
    return _dig(level, wall, wall - floor, chance.randint(1, 6))


def extend_corridor(level: Level, chance: Random) -> Level:
    """Dig a dead end of the level further, or else a new one."""
    level = _padded(level, 7)
    ends = [cell for cell in level.reach if len(level.reach.intersection(level.neighbours(cell))) == 1]
    if not ends:
        return add_corridor(level, chance)
    end = chance.choice(sorted(ends))
    (before,) = level.reach.intersection(level.neighbours(end))
    return _dig(level, end + (end - before), end - before, chance.randint(1, 6))


_ONE_BY_ONE = [
    add_dead_floor, remove_wall, move_goal, add_frozen_box,
    widen_border, add_sealed_room, add_corridor, extend_corridor,
]  # fmt: skip


def alter_twice(level: Level, chance: Random) -> Level:
    """Apply two different alterations."""
    for alter in chance.sample(_ONE_BY_ONE, 2):
        level = alter(level, chance)
    return level


ALTERATIONS: dict[str, Callable[[Level, Random], Level]] = {
    "dead floor added": add_dead_floor,
    "wall removed": remove_wall,
    "goal moved": move_goal,
    "frozen box added": add_frozen_box,
    "border widened": widen_border,
    "sealed room added": add_sealed_room,
    "corridor added": add_corridor,
    "corridor extended": extend_corridor,
    "altered twice": alter_twice,
}


def is_useful(level: Level, lurd: str) -> bool:
    """Return whether *lurd* solves *level*, or after some of it a single box is not home and can be pushed there.

    Steps are played until one is impossible; a solution with fewer moves or pushes than any known is one, too.
    """
    played = replay(level, Moves.parse(lurd))
    if played.is_solved:
        return True
    goals = set(level.goals)
    for position in Playback(level, played.lurd):
        away, free = set(position.boxes) - goals, goals.difference(position.boxes)
        if len(away) == 1 and free <= set(push_paths(level, position, away.pop()).targets):
            return True
    return False
