"""The gate: errors that block a level's publication, and warnings (docs/reference/formats.md, *The gate*).

Whether a level is already in a known collection is checked by the caller, which has the collections.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solvers.sokoban.level import GOAL, WALL, Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Fault, Problem
from solvers.sokoban.replay import replay

MIN_SIDE, MAX_SIDE = 3, 100  # accepted by all old clients
MAX_TEXT = 200
LEAK = 8  # number of consecutive solution steps that gives the solution away

_WARNINGS = frozenset(
    {
        Fault.UNREACHABLE_BOX,
        Fault.UNREACHABLE_GOAL,
        Fault.SOLVED_AT_START,
        Fault.CORNER_BOX,
        Fault.TEXT_EMPTY,
        Fault.TEXT_BAR,
    }
)


class Faults(NamedTuple):
    """Faults of a level: errors keep it from being published, warnings do not."""

    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def faults(
    level: Level, solution: Moves | None = None, *, title: str = "", author: str = "", texts: Iterable[str] = ()
) -> Faults:
    """Check *level* and the texts published with it; *texts* are notes and round texts that could leak the solution.

    >>> level = Level.parse("#####|#@$.#|#####")
    >>> [problem.code.value for problem in faults(level, Moves.parse("r"), title="One").warnings]
    ['text_empty']

    Problems have codes and numbers; a text's problem names the text in `values`. Time O(cells + steps + texts).
    """
    problems = [*_board_problems(level), *_solution_problems(level, solution)]
    for field, text in (("title", title), ("author", author)):
        problems += _text_problems(field, text)
    for field, text in [("title", title), ("author", author), *(("text", text) for text in texts)]:
        if solution and gives_away(text, solution):
            problems.append(Problem(Fault.LEAK, {"field": field}))
    return Faults(
        tuple(problem for problem in problems if problem.code not in _WARNINGS),
        tuple(problem for problem in problems if problem.code in _WARNINGS),
    )


def _board_problems(level: Level) -> Iterator[Problem]:
    if not (MIN_SIDE <= level.width <= MAX_SIDE and MIN_SIDE <= level.height <= MAX_SIDE):
        yield Problem(Fault.SIZE, {"width": level.width, "height": level.height})
    yield from level.problems
    if len(level.players) != 1:
        return
    boxes, goals = (sum(cell in level.reach for cell in cells) for cells in (level.boxes, level.goals))
    if boxes != goals and len(level.boxes) == len(level.goals):
        yield Problem(Fault.REACH_BOXES_GOALS, {"boxes": boxes, "goals": goals})
    elif not boxes and level.boxes:
        yield Problem(Fault.REACH_BOXES_GOALS, {"boxes": 0, "goals": goals})
    if lost := tuple(box for box in level.boxes if box not in level.reach and not level.cells[box] & GOAL):
        yield Problem(Fault.LOST_BOX, cells=lost)
    yield from corner_problems(level)


def corner_problems(level: Level) -> Iterator[Problem]:
    """Yield the problem of boxes that can never leave a corner without a goal."""
    if stuck := tuple(box for box in level.boxes if not level.cells[box] & GOAL and _is_corner(level, box)):
        yield Problem(Fault.CORNER_BOX, cells=stuck)


def _is_corner(level: Level, cell: int) -> bool:
    """Return whether walls or the board's edge block a box on *cell* along both axes forever."""
    row, column = divmod(cell, level.width)

    def stops(row: int, column: int) -> bool:
        is_inside = 0 <= row < level.height and 0 <= column < level.width
        return not is_inside or bool(level.cells[row * level.width + column] & WALL)

    is_blocked_sideways = stops(row, column - 1) or stops(row, column + 1)
    return is_blocked_sideways and (stops(row - 1, column) or stops(row + 1, column))


def _solution_problems(level: Level, solution: Moves | None) -> Iterator[Problem]:
    if solution is None or not solution.steps:
        yield Problem(Fault.NO_SOLUTION)
    elif not level.unjudgeable:
        outcome = replay(level, solution)
        if not outcome.is_solved:
            yield Problem(Fault.SOLUTION_FAILS, {"step": outcome.step or len(solution)})


def _text_problems(field: str, text: str) -> Iterator[Problem]:
    """Yield faults of a title or author, which must be one line of printable characters."""
    if not text.strip():
        yield Problem(Fault.TEXT_EMPTY, {"field": field})
    if len(text.splitlines()) > 1:
        yield Problem(Fault.TEXT_LINES, {"field": field})
    if not "".join(text.splitlines()).isprintable():
        yield Problem(Fault.TEXT_UNPRINTABLE, {"field": field})
    if len(text) > MAX_TEXT:
        yield Problem(Fault.TEXT_LONG, {"field": field, "length": len(text)})
    if "|" in text:
        yield Problem(Fault.TEXT_BAR, {"field": field})


_BETWEEN_STEPS = re.compile(r"[\s,;.|-]+")
_MANY_STEPS = re.compile("[lurd]{%d,}" % LEAK)


def gives_away(text: str, solution: Moves) -> bool:
    """Return whether *text* has LEAK or more consecutive steps of *solution*, ignoring case and separators.

    >>> gives_away("Begin with drdr RRRR.", Moves.parse("ulDrdrrrrru"))
    True
    """
    steps = solution.steps.lower()
    windows: set[str] | None = None
    for run in _MANY_STEPS.findall(_BETWEEN_STEPS.sub("", text.lower())):
        windows = windows or {steps[at : at + LEAK] for at in range(len(steps) - LEAK + 1)}
        if any(run[at : at + LEAK] in windows for at in range(len(run) - LEAK + 1)):
            return True
    return False
