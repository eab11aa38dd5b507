"""Find levels by hill climbing: change goals and walls at random, and keep the board with the farthest start position.

Like SokoFind: for given walls, or generated rooms, and a number of boxes, it searches backwards for the start positions
farthest from the goals (`farthest`), and climbs by moving goals and, in generated rooms, walls. Without a limit of CPU
seconds the result never depends on the clock.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from solvers.choices import Choice
from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL, Level
from solvers.sokoban.metrics import measure
from solvers.sokoban.solving import exact
from solvers.sokoban.solving.answers import Aim, Solved
from solvers.sokoban.solving.board import Board, Hopeless, make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.difficulty import Difficulty, difficulty
from solvers.sokoban.solving.farthest import Start, farthest_starts

_STATES = 200_000  # states per backward search
_STARTS = 3  # start positions examined per board
_TRIES_ON_A_HILL = 40  # boards tried without improvement before a restart


class Quality(Choice):
    """The quantity to maximise in a level."""

    PUSHES = "pushes"
    MOVES = "moves"
    CHANGES = "changes"


@dataclass(frozen=True)
class FoundLevel:
    """A level, its solution with provably fewest pushes, that solution's box changes, and the level's difficulty."""

    level: Level
    solution: Solved
    changes: int
    difficulty: Difficulty

    def worth(self, wanted: Quality | str) -> int:
        wanted = Quality(wanted)
        if wanted == Quality.CHANGES:
            return self.changes
        return self.solution.moves if wanted == Quality.MOVES else self.solution.pushes


def find_levels(
    boxes: int,
    *,
    walls: Level | None = None,
    width: int = 7,
    height: int = 6,
    quality: Quality | str = Quality.PUSHES,
    boards: int = 200,
    most: int = 10,
    seed: int = 1,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    report: Callable[[int, int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[FoundLevel]:
    """Return the best *most* levels found on *boards* boards, best first, without rotated or mirrored duplicates.

    From *walls* only the walls are used; without it rooms of *width* by *height* floor squares are generated. Raise
    ValueError if there is no room for *boxes* boxes. *budget* limits the whole search, which then returns the best so
    far; a board that is being searched is completed. *report* receives the boards tried and the best value so far.
    """
    quality = Quality(quality)
    rng = random.Random(seed)  # noqa: S311 - no secret: the same seed must give the same levels
    levels_by_key: dict[str, FoundLevel] = {}
    hill, height_of_hill, tries, best = None, -1, 0, 0
    meter = Meter(budget, cancelled=cancelled)
    for number in range(boards):
        if meter.over():
            break
        if hill is None or tries > _TRIES_ON_A_HILL:
            hill, height_of_hill, tries = _random_walls(rng, walls, width, height, boxes), -1, 0
            plan = hill
        else:
            plan = _mutate_walls(rng, hill, may_build=walls is None)
        reached = -1
        for level in _levels_on(plan, rng, boxes, meter):
            if level.key not in levels_by_key:
                candidate = _measure(level, meter)
                if candidate is None:
                    continue
                levels_by_key[level.key] = candidate
            reached = max(reached, levels_by_key[level.key].worth(quality))
        tries += 1
        if reached > height_of_hill:
            hill, height_of_hill, tries = plan, reached, 0
        best = max(best, reached)
        if report:
            report(number + 1, best)
        if len(levels_by_key) > 4 * most:
            levels_by_key = dict(_rank(levels_by_key, quality)[: 2 * most])
    return _best_per_board(level for _, level in _rank(levels_by_key, quality))[:most]


def _best_per_board(levels: Iterable[FoundLevel]) -> list[FoundLevel]:
    """Return the first level of each board: start positions with the same walls and goals are much alike."""
    first_per_board: dict[bytes, FoundLevel] = {}
    for level in levels:
        first_per_board.setdefault(bytes(cell & (WALL | GOAL) for cell in level.level.cells), level)
    return list(first_per_board.values())


def _rank(levels_by_key: dict[str, FoundLevel], quality: Quality) -> list[tuple[str, FoundLevel]]:
    return sorted(levels_by_key.items(), key=lambda item: (-item[1].worth(quality), len(item[1].level.reach), item[0]))


def _random_walls(rng: random.Random, walls: Level | None, width: int, height: int, boxes: int) -> list[bytearray]:
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
            return _random_walls(rng, walls, width, height, boxes)
        raise ValueError(f"there is no room for {boxes} boxes on {len(free)} squares")
    for line, column in rng.sample(free, boxes):
        rows[line][column] |= GOAL
    return rows


def _mutate_walls(rng: random.Random, rows: list[bytearray], *, may_build: bool) -> list[bytearray]:
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


def _levels_on(rows: list[bytearray], rng: random.Random, boxes: int, meter: Meter) -> Iterator[Level]:
    """Yield the levels of the farthest start positions of a board."""
    flat = b"".join(rows)
    width = len(rows[0])
    free = [cell for cell, content in enumerate(flat) if content == 0]
    if not free or flat.count(GOAL) != boxes:
        return
    player = rng.choice(free)
    solved = _with_pieces(flat, width, [cell for cell, content in enumerate(flat) if content & GOAL], player)
    try:
        board = make_board(solved)
    except Hopeless:
        return
    if len(board.goals) != boxes:
        return
    for start in farthest_starts(board, _STATES, _STARTS, meter):
        if start.pushes:
            yield _level_of(board, flat, width, start)


def _level_of(board: Board, flat: bytes, width: int, start: Start) -> Level:
    boxes = [int(board.cells[box]) for box in start.boxes]
    reach = set(map(int, board.cells))
    walled = bytes(content if cell in reach else WALL for cell, content in enumerate(flat))
    return _with_pieces(walled, width, boxes, int(board.cells[start.player]))


def _with_pieces(flat: bytes, width: int, boxes: list[int], player: int) -> Level:
    cells = bytearray(flat)
    for box in boxes:
        cells[box] |= BOX
    cells[player] |= PLAYER
    return Level.from_cells([cells[at : at + width] for at in range(0, len(cells), width)])


def _measure(level: Level, meter: Meter) -> FoundLevel | None:
    """Solve the level; return None unless its optimum is proved."""
    answer = exact.prove_exactly(level, Aim.PUSHES, meter.remaining(2 * _STATES))
    meter.nodes += answer.nodes
    if not isinstance(answer, Solved):
        return None
    return FoundLevel(level, answer, measure(answer.lurd).box_changes, difficulty(level, answer.lurd))
