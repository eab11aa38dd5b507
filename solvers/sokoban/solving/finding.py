"""Find levels: goals and walls are changed a little again and again, and what makes the farthest start is kept.

What SokoFind did: given walls, or none, and a number of boxes, the starts farthest from the goals are searched
backwards (`farthest`), and a hill is climbed over the places of goals and, in rooms made here, of walls. Everything
depends on the seed alone, and on the number of boards tried, never on the clock.
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
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.difficulty import Difficulty, difficulty
from solvers.sokoban.solving.farthest import Start, farthest_starts

_STATES = 200_000  # of one backward search
_STARTS = 3  # of one board that are looked at
_TRIES_ON_A_HILL = 40  # without a better board, then a new hill is begun


class Quality(Choice):
    """What a level is to have much of."""

    PUSHES = "pushes"
    MOVES = "moves"
    CHANGES = "changes"


@dataclass(frozen=True)
class FoundLevel:
    """A level, its solution with the fewest pushes as proved, box changes of that, and how hard it is."""

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
    wanted: Quality | str = Quality.PUSHES,
    boards: int = 200,
    most: int = 10,
    seed: int = 1,
    report: Callable[[int, int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[FoundLevel]:
    """Return the best *most* levels found on so many *boards*, the best first, no two the same turned or mirrored.

    With *walls* only its walls are taken; else rooms of *width* by *height* floor squares are made. Raise ValueError
    where there is no room for so many boxes. *report* is told the boards tried and the most found so far.
    """
    wanted = Quality(wanted)
    chance = random.Random(seed)  # noqa: S311 - no secret: the same seed must give the same levels
    found: dict[str, FoundLevel] = {}
    hill, height_of_hill, tries, best = None, -1, 0, 0
    for number in range(boards):
        if cancelled and cancelled():
            break
        if hill is None or tries > _TRIES_ON_A_HILL:
            hill, height_of_hill, tries = _bare(chance, walls, width, height, boxes), -1, 0
            plan = hill
        else:
            plan = _change(chance, hill, may_build=walls is None)
        reached = -1
        for level in _levels_on(plan, chance, boxes):
            if level.key not in found:
                candidate = _measure(level)
                if candidate is None:
                    continue
                found[level.key] = candidate
            reached = max(reached, found[level.key].worth(wanted))
        tries += 1
        if reached > height_of_hill:
            hill, height_of_hill, tries = plan, reached, 0
        best = max(best, reached)
        if report:
            report(number + 1, best)
        if len(found) > 4 * most:
            found = dict(_rank(found, wanted)[: 2 * most])
    return _one_a_board(level for _, level in _rank(found, wanted))[:most]


def _one_a_board(levels: Iterable[FoundLevel]) -> list[FoundLevel]:
    """The first level of each board: starts of the same walls and goals are much alike."""
    kept: dict[bytes, FoundLevel] = {}
    for found in levels:
        kept.setdefault(bytes(cell & (WALL | GOAL) for cell in found.level.cells), found)
    return list(kept.values())


def _rank(found: dict[str, FoundLevel], wanted: Quality) -> list[tuple[str, FoundLevel]]:
    return sorted(found.items(), key=lambda item: (-item[1].worth(wanted), len(item[1].level.reach), item[0]))


def _bare(chance: random.Random, walls: Level | None, width: int, height: int, boxes: int) -> list[bytearray]:
    """Rows of walls and goals: the walls given, or a room with some thrown in, and goals on free places."""
    if walls is not None:
        inside = walls.reach if walls.players else frozenset(range(len(walls.cells)))
        at = range(len(walls.cells))
        flat = bytearray(WALL if walls.cells[cell] & WALL or cell not in inside else 0 for cell in at)
        rows = [flat[row * walls.width : (row + 1) * walls.width] for row in range(walls.height)]
    else:
        rows = [bytearray([WALL] * (width + 2)) for _ in range(height + 2)]
        for row in rows[1:-1]:
            row[1:-1] = bytes(WALL if chance.random() < 0.2 else 0 for _ in range(width))
    free = [(row, column) for row, cells in enumerate(rows) for column, cell in enumerate(cells) if not cell & WALL]
    if len(free) < boxes + 2:
        if walls is None and width * height >= 2 * boxes + 4:
            return _bare(chance, walls, width, height, boxes)
        raise ValueError(f"there is no room for {boxes} boxes on {len(free)} squares")
    for line, column in chance.sample(free, boxes):
        rows[line][column] |= GOAL
    return rows


def _change(chance: random.Random, rows: list[bytearray], *, may_build: bool) -> list[bytearray]:
    """The board with a goal elsewhere or, in a room made here, a wall more or less."""
    rows = [bytearray(row) for row in rows]
    places = [(row, column) for row in range(1, len(rows) - 1) for column in range(1, len(rows[0]) - 1)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        goals = [(row, column) for row, column in places if rows[row][column] & GOAL]
        row, column = chance.choice(places)
        if may_build and chance.random() < 0.5 and not rows[row][column] & GOAL:
            rows[row][column] ^= WALL
        elif rows[row][column] == 0 and goals:
            old = chance.choice(goals)
            rows[old[0]][old[1]] &= ~GOAL
            rows[row][column] |= GOAL
    return rows


def _levels_on(rows: list[bytearray], chance: random.Random, boxes: int) -> Iterator[Level]:
    """Yield the levels of the farthest starts on a board."""
    flat = b"".join(rows)
    width = len(rows[0])
    free = [cell for cell, content in enumerate(flat) if content == 0]
    if not free or flat.count(GOAL) != boxes:
        return
    player = chance.choice(free)
    solved = _with_pieces(flat, width, [cell for cell, content in enumerate(flat) if content & GOAL], player)
    try:
        board = make_board(solved)
    except Hopeless:
        return
    if len(board.goals) != boxes:
        return
    for start in farthest_starts(board, _STATES, _STARTS):
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


def _measure(level: Level) -> FoundLevel | None:
    """Solve the level; its optimum is proved or it is left out."""
    answer = exact.prove(level, Aim.PUSHES, Budget(nodes=2 * _STATES))
    if not isinstance(answer, Solved):
        return None
    return FoundLevel(level, answer, measure(answer.lurd).box_changes, difficulty(level, answer.lurd))
