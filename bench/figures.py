"""Figures of the benches: measuring, running and printing."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from multiprocessing import get_context
from statistics import median

from solvers.lifeline import exit_with
from tooling.terminal import Problem


@dataclass(frozen=True)
class Figure:
    """One row of the table: the value, its baseline, and whether it met its target (None: no target)."""

    what: str
    value: float
    unit: str
    baseline: str = ""
    baseline_value: float | None = None
    target: str = ""
    is_met: bool | None = None

    @property
    def ratio(self) -> float | None:
        """Return the value divided by the baseline: below 1 is better than the baseline."""
        return self.value / self.baseline_value if self.baseline_value else None


def cpu_seconds(*acts: Callable[[], object], runs: int = 15, repeat: int = 1) -> list[float]:
    """Return for each act the median CPU seconds of one call, in *runs* rounds of *repeat* calls.

    The acts take turns, so that other load on the machine affects all of them.
    """
    taken: list[list[float]] = [[] for _ in acts]
    for _ in range(runs):
        for act, times in zip(acts, taken, strict=True):
            begin = time.process_time_ns()
            for _ in range(repeat):
                act()
            times.append((time.process_time_ns() - begin) / repeat / 1e9)
    return [median(times) for times in taken]


def take(module: str) -> list[Figure]:
    """Run the bench in *module* and return its figures."""
    return list(import_module(module).measure())


def run(name: str, module: str, *, as_json: bool = False) -> int:
    """Run the bench *name* in *module* and print each figure as it arrives; return how many missed their target.

    If a program is missing or does not start, the figures measured before remain printed.
    """
    if not as_json:
        print(f"\n{name}", flush=True)
    missed = 0
    try:
        for figure in import_module(module).measure():
            row = {"bench": name, **asdict(figure), "ratio": figure.ratio}
            print(json.dumps(row) if as_json else line(figure), flush=True)
            missed += figure.is_met is False
    except Problem as problem:
        print(f"  not measured: {problem}", file=sys.stderr, flush=True)
        missed += 1
    return missed


def line(figure: Figure) -> str:
    """Return one row of the table."""
    text = f"  {figure.what:<52}{figure.value:>12,.3f} {figure.unit:<4}"
    if figure.ratio is not None:
        text += f"{figure.ratio:>9.3f} x {figure.baseline} ({figure.baseline_value:,.3f})"
    if figure.target:
        text += f"   target {figure.target}: {'met' if figure.is_met else 'MISSED'}"
    return text.rstrip()


@contextmanager
def alone() -> Iterator[ProcessPoolExecutor]:
    """Run tasks one after the other, each in a new process. The processes end with this one, however it ends."""
    context = get_context("spawn")
    lifeline, held = context.Pipe(duplex=False)
    with held, ProcessPoolExecutor(
        1, mp_context=context, initializer=exit_with, initargs=(lifeline,), max_tasks_per_child=1
    ) as processes:  # fmt: skip
        yield processes
