"""Find levels by hill climbing: change goals and walls at random, and keep the board with the farthest start position.

Like SokoFind: for given walls, or generated rooms, and a number of boxes, it searches backwards for the start positions
farthest from the goals (`farthest`), and climbs by moving goals and, in generated rooms, walls. Without a limit of CPU
seconds the result never depends on the clock.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from solvers.choices import Choice
from solvers.sokoban.checks.likeness import likeness
from solvers.sokoban.level import GOAL, WALL, Level
from solvers.sokoban.making.rooms import mutate_room, random_room, with_pieces
from solvers.sokoban.making.techniques import (
    TooManyPositions,
    direct_pushes,
    find_first_goal,
    needs_corral,
    needs_parking,
)
from solvers.sokoban.metrics import measure
from solvers.sokoban.solving import exact
from solvers.sokoban.solving.answers import Aim, Solved
from solvers.sokoban.solving.board import Board, Hopeless, make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.difficulty import Band, Difficulty, difficulty
from solvers.sokoban.solving.farthest import Start, farthest_starts

_STATES = 200_000  # states per backward search
_STARTS = 3  # start positions examined per board
_TRIES_ON_A_HILL = 40  # boards tried without improvement before a restart
NEAR_COPY = 0.9  # likeness from which on the worse of two levels is left out: they differ by some three squares


class Quality(Choice):
    """The quantity to maximise in a level."""

    PUSHES = "pushes"
    MOVES = "moves"
    CHANGES = "changes"


class Theme(Choice):
    """A technique that no solution of a level can do without, as `making.techniques` proves it.

    Park a box on its way, fill one goal last of all before others, shut off a part of the floor, or push a box farther
    than alone on the board.
    """

    PARKING = "parking"
    ORDER = "order"
    CORRAL = "corral"
    DETOUR = "detour"

    def is_needed(self, level: Level) -> bool:
        """Return whether *level*, which can be solved, needs this; False if that is not proved."""
        try:
            if self == Theme.PARKING:
                return needs_parking(level)
            if self == Theme.CORRAL:
                return needs_corral(level)
            if self == Theme.ORDER:
                return find_first_goal(level) is not None
        except TooManyPositions:
            return False
        answer = exact.prove_exactly(level, Aim.PUSHES, Budget(nodes=2 * _STATES))
        return isinstance(answer, Solved) and answer.pushes > direct_pushes(level)


@dataclass(frozen=True)
class FoundLevel:
    """A level, a solution with provably fewest pushes or moves, its box changes, and the level's difficulty."""

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
    band: Band | None = None,
    theme: Theme | str | None = None,
    boards: int = 200,
    most: int = 10,
    seed: int = 1,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    report: Callable[[int, int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[FoundLevel]:
    """Return the best *most* levels found on *boards* boards, best first, without near copies of a better one.

    *quality* is what the solution with the fewest pushes has most of, or, for moves, that with the fewest moves. Only
    levels of the difficulty *band* and that need the *theme* are returned, if given.

    From *walls* only the walls are used; without it rooms of *width* by *height* floor squares are generated. Raise
    ValueError if there is no room for *boxes* boxes. *budget* limits the whole search, which then returns the best so
    far; a board that is being searched is completed. *report* receives the boards tried and the best value so far.
    """
    quality, theme = Quality(quality), Theme(theme) if theme else None
    rng = random.Random(seed)  # noqa: S311 - no secret: the same seed must give the same levels
    levels_by_key: dict[str, FoundLevel] = {}
    left_out: set[str] = set()
    hill, height_of_hill, tries, best = None, -1, 0, 0
    meter = Meter(budget, cancelled=cancelled)
    for number in range(boards):
        if meter.over():
            break
        if hill is None or tries > _TRIES_ON_A_HILL:
            hill, height_of_hill, tries = random_room(rng, walls, width, height, boxes), -1, 0
            plan = hill
        else:
            plan = mutate_room(rng, hill, may_build=walls is None)
        reached = -1
        for level in _levels_on(plan, rng, boxes, meter):
            if level.key in left_out:
                continue
            if level.key not in levels_by_key:
                found = _measure(level, Aim.MOVES if quality == Quality.MOVES else Aim.PUSHES, meter)
                if found is None or (band and found.difficulty.band != band) or (theme and not theme.is_needed(level)):
                    left_out.add(level.key)
                    continue
                levels_by_key[level.key] = found
            reached = max(reached, levels_by_key[level.key].worth(quality))
        tries += 1
        if reached > height_of_hill:
            hill, height_of_hill, tries = plan, reached, 0
        best = max(best, reached)
        if report:
            report(number + 1, best)
        if len(levels_by_key) > 4 * most:
            levels_by_key = dict(_rank(levels_by_key, quality)[: 2 * most])
    return _without_near_copies((level for _, level in _rank(levels_by_key, quality)), most)


def _without_near_copies(levels: Iterable[FoundLevel], most: int) -> list[FoundLevel]:
    """Return the first *most* levels that are like none before them: not the same walls and goals, no near copy."""
    kept: dict[bytes, FoundLevel] = {}
    for found in levels:
        board = bytes(cell & (WALL | GOAL) for cell in found.level.cells)
        if board in kept or any(likeness(other.level, found.level) >= NEAR_COPY for other in kept.values()):
            continue
        kept[board] = found
        if len(kept) == most:
            break
    return list(kept.values())


def _rank(levels_by_key: dict[str, FoundLevel], quality: Quality) -> list[tuple[str, FoundLevel]]:
    return sorted(levels_by_key.items(), key=lambda item: (-item[1].worth(quality), len(item[1].level.reach), item[0]))


def _levels_on(rows: list[bytearray], rng: random.Random, boxes: int, meter: Meter) -> Iterator[Level]:
    """Yield the levels of the farthest start positions of a board."""
    board = solved_board(rows, rng, boxes)
    if board is not None:
        for start in farthest_starts(board, _STATES, _STARTS, meter):
            if start.pushes:
                yield level_of(board, rows, start)


def solved_board(rows: list[bytearray], rng: random.Random, boxes: int) -> Board | None:
    """Return the board of *rows* with a box on each goal and the player on a random free square.

    Return None if there are not *boxes* goals within the reach of that player.
    """
    flat = b"".join(rows)
    free = [cell for cell, content in enumerate(flat) if content == 0]
    if not free or flat.count(GOAL) != boxes:
        return None
    player = rng.choice(free)
    goals = [cell for cell, content in enumerate(flat) if content & GOAL]
    try:
        board = make_board(with_pieces(flat, len(rows[0]), goals, player))
    except Hopeless:
        return None
    return board if len(board.goals) == boxes else None


def level_of(board: Board, rows: list[bytearray], start: Start) -> Level:
    """Return the level of *start*: *board* was made of *rows*, and squares out of its reach become walls."""
    boxes = [int(board.cells[box]) for box in start.boxes]
    reach = set(map(int, board.cells))
    walled = bytes(content if cell in reach else WALL for cell, content in enumerate(b"".join(rows)))
    return with_pieces(walled, len(rows[0]), boxes, int(board.cells[start.player]))


def _measure(level: Level, aim: Aim, meter: Meter) -> FoundLevel | None:
    """Solve the level; return None unless its optimum is proved."""
    answer = exact.prove_exactly(level, aim, meter.remaining(2 * _STATES))
    meter.nodes += answer.nodes
    if not isinstance(answer, Solved):
        return None
    return FoundLevel(level, answer, measure(answer.lurd).box_changes, difficulty(level, answer.lurd))
