"""Find all squares one box can be pushed to: by blocks, compared with a flood fill for every state of the box."""

from collections.abc import Iterator

from bench.figures import Figure, cpu_seconds
from bench.games import room
from solvers.sokoban import kernels
from solvers.sokoban.arena import CRATE, FREE
from solvers.sokoban.level import Level
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position

WALLS = 0.12


def measure() -> Iterator[Figure]:
    """Yield the time for the target's 50x50 room first, then how the cost grows with the room."""
    level, box = _room(50)
    position = Position.start(level)
    floor = len(level.reach)
    assert floor > 1_000
    (plain,) = cpu_seconds(lambda: push_paths(level, position, box).targets)
    if not kernels.warm():
        yield Figure(f"50x50, {floor} floor squares, plain Python", plain * 1e3, "ms")
        return
    assert push_paths(level, position, box).targets == by_flooding(level, position, box)
    ours, flooding = cpu_seconds(
        lambda: push_paths(level, position, box).targets, lambda: by_flooding(level, position, box), runs=9
    )
    name = f"50x50, {floor} floor squares, kernel"
    yield Figure(name, ours * 1e3, "ms", "flood per state, kernel", flooding * 1e3, "at most 1 ms", ours <= 1e-3)
    yield Figure("the same, plain Python", plain * 1e3, "ms", "flood per state, kernel", flooding * 1e3)
    (moves,) = cpu_seconds(lambda: push_paths(level, position, box, fewest=Fewest.MOVES).targets)
    yield Figure("the same, fewest moves, kernel", moves * 1e3, "ms", "fewest pushes", ours * 1e3)
    for side in (25, 50, 100, 150, 200):
        yield from _at(side)


def _at(side: int) -> Iterator[Figure]:
    level, box = _room(side)
    position, floor = Position.start(level), len(level.reach)
    (ours,) = cpu_seconds(lambda: push_paths(level, position, box).targets)
    name = f"{side}x{side}, {floor:,} floor squares, kernel, each"
    if side > 100:  # a flood per state takes half a minute
        yield Figure(name, ours / floor * 1e6, "us")
        return
    (flooding,) = cpu_seconds(lambda: by_flooding(level, position, box), runs=1 if side > 50 else 5)
    yield Figure(name, ours / floor * 1e6, "us", "flood per state, kernel", flooding / floor * 1e6)


def _room(side: int) -> tuple[Level, int]:
    """Return a room, and the box in it that can be pushed to the most squares."""
    level = room(side, walls=WALLS, boxes=5)
    position = Position.start(level)
    return level, max(level.boxes, key=lambda box: len(push_paths(level, position, box).targets))


def by_flooding(level: Level, position: Position, box: int) -> set[int]:
    """Return the same squares by the obvious method: flood-fill the player's reach for every state of the box."""
    arena = level.arena
    field = bytearray(content in (FREE, CRATE) for content in arena.squares)
    for other in position.boxes:
        field[arena.square(other)] = other == box
    flood, deltas = kernels.kernel(kernels.flood), [arena.deltas[letter] for letter in "lurd"]
    tables = kernels.view(field), kernels.table_of(deltas)
    todo = [(arena.square(box), arena.square(position.player))]
    seen = set()
    for square, man in todo:
        field[square] = 0
        came = kernels.table(len(field))
        flood(*tables, man, -1, came, kernels.table(len(field)))
        field[square] = 1
        for delta in deltas:
            if came[square - delta] and field[square + delta] and (square + delta, square) not in seen:
                seen.add((square + delta, square))
                todo.append((square + delta, square))
    return {arena.cell(square) for square, _ in seen} - {box}
