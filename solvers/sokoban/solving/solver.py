"""Entry points: `solve`, `prove`, `optimize` and `find`, which `solvers.sokoban` offers at its top.

The first two combine the searches of this package and divide the budget among them: see docs/explanation/solver.md.
Compiled modules are imported on first use, because loading numba takes most of a second. Without numba easy levels are
still solved; for the rest all four raise NoCompiler. A level is a Level or its text.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.choices import require
from solvers.commandline import write_file
from solvers.errors import BadLevel
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from solvers.sokoban.solving import compiling
from solvers.sokoban.solving.answers import Aim, Answer, Proof, Solved, Unknown, Unsolvable, proof_aim, verify
from solvers.sokoban.solving.budget import Budget, Limit, Meter, Report
from solvers.sokoban.solving.searching.first_look import MOST_SQUARES, first_look

if TYPE_CHECKING:
    from solvers.sokoban.solving.finding import FoundLevel  # imports numba

_EASY = 100_000  # states after which a proof searches for a solution first, to store fewer states
_SHARE = 0.25  # share of the CPU seconds for that solution, and again for improving it
_LEAST_SHARE = 5.0
_SMALL = 2.0  # CPU seconds of the greedy search before the others are compiled, which takes some 20


def solve(
    level: Level | str,
    aim: Aim | str = Aim.ANY,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    *,
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Answer:
    """Find a solution of *level*; for an *aim* other than any, improve it in the rest of the budget.

    >>> solve("######|#@$-.#|######")
    Solved('RR', moves=2, pushes=2)

    Raise BadLevel if no replay can judge the level.
    """
    level, aim = Level.of(level), Aim(aim)
    require(Budget, budget=budget)
    if aim == Aim.ANY and (easy := solve_easy(level, budget)):
        return easy
    answer = _solve_any_aim(level, budget, report, cancelled)
    if aim == Aim.ANY or not isinstance(answer, Solved):
        return answer
    left = _remaining_budget(budget, answer)
    if left is None:
        return answer
    from solvers.sokoban.solving.optimizing import optimize

    better = optimize(level, answer.lurd, aim, left, report=report, cancelled=cancelled)
    pushes, moves = (better.pushes, better.pushes) if better.proven == Aim.PUSHES else (0, 0)
    return replace(
        better,
        nodes=better.nodes + answer.nodes,
        cpu_seconds=better.cpu_seconds + answer.cpu_seconds,
        lower_bound_pushes=pushes,
        lower_bound_moves=better.moves if better.proven == Aim.MOVES else moves,
    )


def solve_easy(level: Level, budget: Budget = Budget()) -> Solved | None:  # noqa: B008 - frozen
    """Find a solution of an easy level within some hundredths of a second, if numba is not loaded yet.

    >>> solve_easy(Level.parse("######|#@$#.#|######"))

    Return None if none was found, or if numba is loaded, as its searches are faster. Raise BadLevel like `solve`.
    """
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    if "numba" in sys.modules:
        return None
    meter = Meter(budget)
    found = first_look(level, 1 << 62 if budget.nodes is None else budget.nodes)
    if found is None:
        return None
    lurd, nodes = found
    return verify(level, lurd, by="first look", nodes=nodes, cpu_seconds=meter.cpu_seconds)


def solve_small(
    level: Level, budget: Budget, *, report: Report | None = None, cancelled: Callable[[], bool] | None = None
) -> Answer | None:
    """Solve a small level by the greedy search alone, whose kernels are compiled in a fifth of the time of all.

    >>> solve_small(Level.parse("######|#@$-.#|######"), Budget())
    Solved('RR', moves=2, pushes=2)

    Return None if the other searches are needed: it found nothing in two CPU seconds. Compiling counts, so call
    `loading.load("solve_small")` before.
    """
    if level.boxes == level.goals or len(level.reach) > MOST_SQUARES:
        return None
    small = replace(budget, cpu_seconds=_lower_of(budget.cpu_seconds, _SMALL))
    answer = _solve_any_aim(level, small, report, cancelled, ("greedy",))
    return None if isinstance(answer, Unknown) and answer.limit != Limit.CANCELLED else answer


def prove(
    level: Level | str,
    aim: Aim | str = Aim.PUSHES,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    *,
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
    certificate: str | Path | None = None,
) -> Answer:
    """Find a solution of *level* with the fewest pushes or the fewest moves, or prove there is none.

    Among the solutions with the fewest moves it has the fewest pushes. Among those with the fewest pushes it has the
    fewest moves found within the budget, or, for an easy level, within the first states.

    >>> prove("#####|#$--#|#-@.#|#####").proof
    <Proof.EXHAUSTED: 'exhausted'>

    Writes the proof to the file *certificate*, for the program in `certificates`; an Unknown has none. Raise
    NoCertificate, which has the answer, if it would be too large, and BadLevel if no replay can judge the level. The
    certificate takes time beyond the budget.
    """
    level, aim = Level.of(level), proof_aim(aim)
    require(Budget, budget=budget)
    answer = _prove(level, aim, budget, report, cancelled)
    if certificate is not None and not isinstance(answer, Unknown):
        from solvers.sokoban.solving.certificates.writing import NoCertificate, certify  # loads numba

        try:
            write_file(str(certificate), certify(level, answer, cancelled=cancelled))
        except NoCertificate as error:
            error.answer = answer
            raise
    return answer


def _prove(
    level: Level, aim: Aim, budget: Budget, report: Report | None, cancelled: Callable[[], bool] | None
) -> Answer:  # fmt: skip
    """Prove in up to three steps.

    A level that is not easy is first solved and its solution improved: states that cannot beat it are not stored.
    """
    compiling.require_compiler()
    from solvers.sokoban.solving import exact
    from solvers.sokoban.solving.optimizing import optimize

    first = Budget(_EASY if budget.nodes is None else min(_EASY, budget.nodes), budget.cpu_seconds, budget.megabytes)
    answer: Answer = exact.prove_exactly(level, aim, first, report=report, cancelled=cancelled)
    if not isinstance(answer, Unknown) or answer.limit != Limit.NODES or budget.nodes == first.nodes:
        return answer
    spent = answer
    bounds = spent.lower_bound_pushes, spent.lower_bound_moves
    known = None
    seconds = max(_LEAST_SHARE, _SHARE * budget.cpu_seconds) if budget.cpu_seconds else None
    if left := _remaining_budget(budget, spent):
        some = _solve_any_aim(level, replace(left, cpu_seconds=_lower_of(left.cpu_seconds, seconds)), report, cancelled)
        spent = _add_spent(spent, some)
        if isinstance(some, Unsolvable):
            return replace(some, nodes=spent.nodes, cpu_seconds=spent.cpu_seconds)
        known = some if isinstance(some, Solved) else None
    if known and (left := _remaining_budget(budget, spent)):
        allowed = replace(left, nodes=_EASY, cpu_seconds=_lower_of(left.cpu_seconds, seconds))
        known = optimize(level, known.lurd, aim, allowed, report=report, cancelled=cancelled)
        spent = _add_spent(spent, known)
    if left := _remaining_budget(budget, spent):
        answer = exact.prove_exactly(level, aim, left, known=known, report=report, cancelled=cancelled)
        spent = _add_spent(spent, answer)
    else:  # the first search ended at an internal limit; report the caller's limit instead
        is_out_of_nodes = budget.nodes is not None and spent.nodes >= budget.nodes
        answer = replace(answer, limit=Limit.NODES if is_out_of_nodes else Limit.CPU_SECONDS)
    answer = replace(answer, nodes=spent.nodes, cpu_seconds=spent.cpu_seconds)
    if isinstance(answer, Unknown):
        pushes, moves = max(bounds[0], answer.lower_bound_pushes), max(bounds[1], answer.lower_bound_moves)
        if known and known.proven == aim:  # the optimizer has searched the whole level
            pushes, moves = (pushes, known.moves) if aim == Aim.MOVES else (known.pushes, moves)
            known = replace(known, nodes=spent.nodes, cpu_seconds=spent.cpu_seconds)
            return replace(known, lower_bound_pushes=pushes, lower_bound_moves=moves)
        answer = replace(answer, lower_bound_pushes=pushes, lower_bound_moves=moves, best=answer.best or known)
    return answer


def optimize(
    level: Level | str,
    lurd: Moves | str,
    aim: Aim | str = Aim.PUSHES,
    budget: Budget = Budget(cpu_seconds=1.0),  # noqa: B008 - frozen
    *,
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Solved:
    """Return a solution of *level* that is no worse than the solution *lurd* by *aim*: see `optimizing`.

    >>> optimize("######|#@-$.#|#----#|######", "drurdluR").lurd
    'rR'

    Raise ValueError if *lurd* is not a solution, BadLevel if no replay can judge the level.
    """
    level, aim = Level.of(level), proof_aim(aim)
    require(Budget, budget=budget)
    given = replay(level, Moves.of(lurd, "lurd"))
    if not given.is_solved:
        raise ValueError(f"lurd does not solve the level: {given!r}")
    compiling.require_compiler()
    from solvers.sokoban.solving.optimizing import optimize as improve

    return improve(level, given.lurd, aim, budget, report=report, cancelled=cancelled)


def find(
    boxes: int = 3,
    *,
    walls: Level | str | None = None,
    width: int = 7,
    height: int = 6,
    quality: str = "pushes",
    band: str | None = None,
    theme: str | None = None,
    boards: int = 200,
    most: int = 10,
    seed: int = 1,
    budget: Budget = Budget(),  # noqa: B008 - frozen
    report: Callable[[int, int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> "list[FoundLevel]":
    """Return new levels far from their goals: see `finding.find_levels`. *band* is easy, medium, hard or expert.

    >>> find(1, width=4, height=3, boards=5)[0].solution.proven
    <Aim.PUSHES: 'pushes'>

    Raise ValueError for a count below 1, or if there is no room for the boxes.
    """
    for name, count in {"boxes": boxes, "width": width, "height": height, "boards": boards, "most": most}.items():
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"{name} must be a whole number from 1, not {count!r}")
    require(Budget, budget=budget)
    compiling.require_compiler()
    from solvers.sokoban.solving.difficulty import Band
    from solvers.sokoban.solving.finding import find_levels

    return find_levels(
        boxes, walls=None if walls is None else Level.of(walls, "walls"), width=width, height=height, quality=quality,
        band=None if band is None else Band.named(band), theme=theme,
        boards=boards, most=most, seed=seed, budget=budget, report=report, cancelled=cancelled,
    )  # fmt: skip


def _solve_any_aim(
    level: Level, budget: Budget, report: Report | None, cancelled: Callable[[], bool] | None,
    parts: tuple[str, ...] | None = None,
) -> Answer:  # fmt: skip
    compiling.require_compiler()
    from solvers.sokoban.solving import exact
    from solvers.sokoban.solving.board import MOST_PAIRS, Hopeless, make_board
    from solvers.sokoban.solving.portfolio import PARTS, solve_any

    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    meter = Meter(budget, report=report, cancelled=cancelled)
    try:
        board = make_board(level)
    except Hopeless:
        return Unsolvable(Proof.OUT_OF_REACH)
    # Solved at the start: search for a push away and back. Too large for all-pairs distances: only the exact search
    # works without them.
    if board.goal[board.boxes].all() or board.size > MOST_PAIRS:
        return exact.prove_exactly(level, Aim.PUSHES, budget, report=report, cancelled=cancelled)
    return solve_any(level, board, meter, parts or PARTS)


def _remaining_budget(budget: Budget, spent: Answer) -> Budget | None:
    """Return the rest of the budget, or None if there is none."""
    nodes = None if budget.nodes is None else budget.nodes - spent.nodes
    seconds = None if budget.cpu_seconds is None else budget.cpu_seconds - spent.cpu_seconds
    if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
        return None
    return Budget(nodes, seconds, budget.megabytes)


def _add_spent(spent: Unknown, answer: Answer) -> Unknown:
    return replace(spent, nodes=spent.nodes + answer.nodes, cpu_seconds=spent.cpu_seconds + answer.cpu_seconds)


def _lower_of(one: float | None, other: float | None) -> float | None:
    return min((seconds for seconds in (one, other) if seconds is not None), default=None)
