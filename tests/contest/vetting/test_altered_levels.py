from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from contest.infra import clock
from contest.library.own import graded
from contest.models import Search, Slot
from contest.vetting import asking, worker
from contest.vetting.asking import Asker, Question, Refused
from contest.visibility import Viewer
from solvers import sokoban
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.checks.deadlocks import dead_squares
from solvers.sokoban.formats import read_collection
from solvers.sokoban.level import BOX, FLOOR, GOAL, WALL
from solvers.sokoban.paths import push_paths
from solvers.sokoban.playback import Playback
from tests import cast
from tests.sizes import cases
from tests.solvers.shared_data import SHARED_DATA

pytestmark = pytest.mark.django_db
QUESTIONS = [("solve", "any"), ("solve", "pushes"), ("prove", "moves")]
FEWEST_BOXES = 2  # a single box is home after any solution and some pushes


def levels() -> list[Level]:
    entries = list(graded.read())
    if SHARED_DATA.is_dir():
        for name in ("microban1.xsb", "xsokoban.xsb"):
            entries += read_collection((SHARED_DATA / "levels" / name).read_bytes()).entries
    boards = [entry.level for entry in entries]
    return [board for board in boards if not board.problems and len(board.boxes) >= FEWEST_BOXES]


def _padded(level: Level, rings: int = 1) -> Level:
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


_ONE_BY_ONE = [add_dead_floor, remove_wall, move_goal, add_frozen_box, add_corridor]


def alter_twice(level: Level, chance: Random) -> Level:
    for alter in chance.sample(_ONE_BY_ONE, 2):
        level = alter(level, chance)
    return level


ALTERATIONS: dict[str, Callable[[Level, Random], Level]] = {
    "dead floor added": add_dead_floor,
    "wall removed": remove_wall,
    "goal moved": move_goal,
    "frozen box added": add_frozen_box,
    "corridor added": add_corridor,
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


def ask_about(level: sokoban.Level, board: sokoban.Level, number: int) -> str:
    """Ask about *board* while *level* is in play; return "refused", the answer, or "useful"."""
    act, aim = QUESTIONS[number % len(QUESTIONS)]
    asker = Asker(Viewer(), f"10.{number % 256}.{number // 256}.1")
    try:
        search = asking.ask(Question(board.published_text, act, aim, seconds=5), asker, at=cast.DURING)
    except Refused as refused:
        return "refused" if refused.reason == "in_play" else refused.reason
    with clock.set_to(cast.DURING):
        worker.work_until_empty(lambda: None)
    row = asking.find_question(search.public_id, cast.DURING)
    Search.objects.all().delete()
    solutions = [solution["lurd"] for solution in row.found.values()]
    return "useful" if row.is_unsolvable or any(is_useful(level, lurd) for lurd in solutions) else row.answer


@pytest.mark.parametrize(
    ("kind", "copies"), cases(((kind, 1) for kind in ALTERATIONS), ((kind, 100) for kind in ALTERATIONS))
)
def test_no_altered_level_in_play_is_answered_usefully(during_round, no_wait, kind, copies):
    """Useful: moves that solve the level, also with more pushes of one box; a proof that the board has no solution."""
    chance, results, known = Random(f"{kind} {copies}"), Counter(), levels()
    for number in range(copies):
        level = chance.choice(known)
        board, symmetry = ALTERATIONS[kind](level, chance), chance.randrange(8)
        during_round.levels.filter(slot=Slot.EXTRA).delete()
        cast.a_level(during_round, Slot.EXTRA, level.transform(chance.randrange(8)).published_text)
        results[ask_about(level.transform(symmetry), board.transform(symmetry), number)] += 1
    assert results.keys() <= {"refused", "unknown"}, results
