"""Solving: how many levels of real collections `solve` solves, by CPU seconds per level.

`--levels FOLDER` names a folder of collections; Microban I and XSokoban are expected as microban1.xsb and
xsokoban.xsb, every other .xsb or .sok file there is measured too, and all these others together as *mixed*. Without it,
generated ladders and rooms are used. `--runs N` solves each level N times and takes the medians. `--parts` prints
which part of the portfolio alone solves which level within the first limit; `--proofs S` proves fewest pushes and
fewest moves in S CPU seconds per level and improves found solutions in one. A search's first seconds do not depend on
its limit, so one run per level counts for all limits below its own. Sixty levels without a solution come last.
"""

import hashlib
import os
from collections.abc import Iterator
from math import inf
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.figures import Figure
from solvers.sokoban.formats import Entry, read_collection, read_file
from solvers.sokoban.level import Level
from solvers.sokoban.making.series import ladder, rooms
from solvers.sokoban.solving.answers import Aim, Solved, Unsolvable
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.portfolio import PARTS, solve_any
from solvers.sokoban.solving.solver import prove, solve

# Targets: collection and CPU seconds per level, with the number of levels to solve.
TARGETS = {
    ("microban1", 10.0): 155,
    ("xsokoban", 2.0): 70,
    ("xsokoban", 20.0): 84,
    ("xsokoban", 60.0): 87,
}
# Levels for which the positions to a solution are told: those that are solved last, or never.
HARD = {"xsokoban": (16, 23, 29, 89)}
NAMED = ("microban1", "xsokoban")
UNSOLVABLE = Path(__file__).resolve().parents[2] / "tests" / "data" / "unsolvable.sok"
RUNS = int(os.environ.get("BENCH_RUNS", "1"))
LIMITS = tuple(float(limit) for limit in os.environ.get("BENCH_SOLVING_SECONDS", "2 20").split())


class Answered(NamedTuple):
    """CPU seconds and positions to a solution of one level."""

    seconds: float
    positions: float


def measure() -> Iterator[Figure]:
    """Yield the solved levels of each collection, and the CPU seconds they took."""
    folder = os.environ.get("BENCH_LEVELS")
    mixed: list[Answered] = []
    for name, levels in _sets(folder):
        solve(levels[0], budget=Budget(nodes=1))  # compile or load the kernels before the clock starts
        answered = [_answer(level) for level in levels]
        yield from _count_solved(name, answered)
        mixed += answered if name not in NAMED else []
        if os.environ.get("BENCH_PARTS"):
            yield from _by_part(name, levels)
        if seconds := os.environ.get("BENCH_PROOFS"):
            yield from _prove(name, levels, float(seconds))
    if folder and mixed:
        yield from _count_solved("mixed", mixed)
    yield from _unsolvable()


def _sets(folder: str | None) -> Iterator[tuple[str, list[Level]]]:
    if not folder:
        yield "ladders and rooms", [ladder(boxes).level for boxes in range(2, 6)] + [rooms(1).level]
        return
    paths = {path.stem: path for path in sorted(Path(folder).iterdir()) if path.suffix in (".xsb", ".sok")}
    for name in (*NAMED, *(name for name in paths if name not in NAMED)):
        if name not in paths:
            print(f"  absent: {name}", flush=True)
            continue
        digest = hashlib.sha256(paths[name].read_bytes()).hexdigest()
        levels = [found.level for found in read_file(paths[name]) if isinstance(found, Entry)]
        print(f"  {paths[name].name}: {len(levels)} levels, SHA-256 {digest}", flush=True)
        yield name, [level for level in levels if not level.unjudgeable]


def _answer(level: Level) -> Answered:
    """Return the medians of a level's CPU seconds and positions, infinite if it was not solved in the last limit."""
    answers = [solve(level, budget=Budget(cpu_seconds=LIMITS[-1])) for _ in range(RUNS)]
    solved = [(answer.cpu_seconds, float(answer.nodes)) for answer in answers if isinstance(answer, Solved)]
    solved += [(inf, inf)] * (RUNS - len(solved))
    return Answered(median(seconds for seconds, _ in solved), median(positions for _, positions in solved))


def _count_solved(name: str, answered: list[Answered]) -> Iterator[Figure]:
    for limit in LIMITS:
        count = sum(one.seconds <= limit for one in answered)
        target = TARGETS.get((name, limit))
        target_text = f"at least {target} of {len(answered)}" if target else ""
        is_met = count >= target if target else None
        yield Figure(
            f"{name}: any solution within {limit:g} CPU s", count, "", "levels", len(answered), target_text, is_met
        )
    missed = [str(number) for number, one in enumerate(answered, 1) if one.seconds > LIMITS[-1]]
    print(f"  {name} not solved: {' '.join(missed) or 'none'}", flush=True)
    yield Figure(f"{name}: CPU seconds on those solved", sum(one.seconds for one in answered if one.seconds < inf), "s")
    for number in HARD.get(name, ()):
        if answered[number - 1].seconds < inf:
            yield Figure(f"{name} {number}: positions to a solution", answered[number - 1].positions, "")


def _by_part(name: str, levels: list[Level]) -> Iterator[Figure]:
    """Print a table of levels and parts in CPU seconds; yield how many each part solves alone in the first limit."""
    print(f"| {name} | {' | '.join(PARTS)} |\n|{' --- |' * (len(PARTS) + 1)}", flush=True)
    solved = dict.fromkeys(PARTS, 0)
    for number, level in enumerate(levels, 1):
        row = []
        for part in PARTS:
            answer = solve_any(level, make_board(level), Meter(Budget(cpu_seconds=LIMITS[0])), (part,))
            is_solved = isinstance(answer, Solved)
            solved[part] += is_solved
            row.append(f"{answer.cpu_seconds:.2f}" if is_solved else "")
        print(f"| {number} | {' | '.join(row)} |", flush=True)
    for part, count in solved.items():
        yield Figure(f"{name}: {part} alone within {LIMITS[0]:g} CPU s", count, "", "levels", len(levels))


def _prove(name: str, levels: list[Level], seconds: float) -> Iterator[Figure]:
    """Yield how many levels have a proven optimum, and how far the optimizer stays above it after one second."""
    for aim in (Aim.PUSHES, Aim.MOVES):
        best = [prove(level, aim, Budget(cpu_seconds=seconds)) for level in levels]
        proven = {number: answer for number, answer in enumerate(best) if isinstance(answer, Solved) and answer.proven}
        what = f"{name}: fewest {aim.value} proved within {seconds:g} CPU s"
        yield Figure(what, len(proven), "", "levels", len(levels))
        total = found = 0
        for number, answer in proven.items():
            some = solve(levels[number], budget=Budget(cpu_seconds=LIMITS[-1]))
            if isinstance(some, Solved):
                better = optimize(levels[number], some.lurd, aim)
                total += getattr(answer, aim.value)
                found += getattr(better, aim.value)
        if total:
            yield Figure(f"{name}: {aim.value} after one second of the optimizer", found, "", "the fewest", total)


def _unsolvable() -> Iterator[Figure]:
    """Yield how many of the unsolvable levels are proved unsolvable within 20 CPU s each."""
    levels = [entry.level for entry in read_collection(UNSOLVABLE.read_bytes()).entries]
    answers = [prove(level, budget=Budget(cpu_seconds=20)) for level in levels]
    proved = sum(isinstance(answer, Unsolvable) for answer in answers)
    wrong = sum(isinstance(answer, Solved) for answer in answers)
    yield Figure(
        "unsolvable: proved within 20 CPU s each", proved, "", "levels", len(levels), "at least 50", proved >= 50
    )
    yield Figure("unsolvable: called solvable", wrong, "", target="none", is_met=wrong == 0)
