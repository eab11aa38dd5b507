"""Time the path search of one box: in plain Python, and compiled. `python -m solvers.sokoban speed FILE`."""

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from solvers.errors import BadLevel
from solvers.sokoban import kernels
from solvers.sokoban.level import GOAL, Level
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position

RUNS = 7


@dataclass(frozen=True)
class Timing:
    """Median CPU milliseconds of one kind of search: all squares by pushes, or all squares by moves."""

    fewest: str
    plain: float
    kernel: float | None


@dataclass(frozen=True)
class Answers:
    """Right answers: the squares to which the box can be pushed, and the fewest pushes and moves to the goal."""

    squares: int
    pushes: int
    moves: int


def find_answers(level: Level) -> Answers:
    """Return the answers for the first box and the first goal. Raise BadLevel if a replay cannot judge the level."""
    start, box = _first_box(level)
    goal = next(cell for cell, content in enumerate(level.cells) if content & GOAL)
    by_pushes, by_moves = (push_paths(level, start, box, fewest=fewest) for fewest in Fewest)
    if goal not in by_pushes.targets:
        return Answers(len(by_pushes.targets), 0, 0)
    return Answers(len(by_pushes.targets), by_pushes.pushes(goal), len(by_moves.to(goal)))


def measure(level: Level) -> dict[str, Any]:
    """Time the searches for the level's first box; return the timings, and the machine and versions.

    Call it in a process that has not called `kernels.warm`: it measures plain Python first. Without numba the
    kernel's times are None.
    """
    start, box = _first_box(level)

    def search(fewest: Fewest) -> Callable[[], object]:
        return lambda: push_paths(level, start, box, fewest=fewest)

    plain = {fewest: _time(search(fewest)) for fewest in Fewest}
    has_kernel = kernels.warm()
    timings = [Timing(fewest.value, plain[fewest], _time(search(fewest)) if has_kernel else None) for fewest in Fewest]
    return {
        "timings": [asdict(timing) for timing in timings],
        "python": platform.python_version(),
        "processor": processor_name(),
    }


def processor_name() -> str:
    """Return the processor's model, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def _first_box(level: Level) -> tuple[Position, int]:
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    start = Position.start(level)
    return start, start.boxes[0]


def _time(search: Callable[[], object]) -> float:
    spent = []
    for _ in range(RUNS):
        begin = process_time()
        search()
        spent.append((process_time() - begin) * 1_000)
    return median(spent)
