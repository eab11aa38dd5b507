"""What a bench says, and how it takes the time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from statistics import median


@dataclass(frozen=True)
class Figure:
    """One line of the table: what was measured, beside what, and whether it met its target (None: it has none)."""

    what: str
    value: float
    unit: str
    baseline: str = ""
    baseline_value: float | None = None
    target: str = ""
    is_met: bool | None = None

    @property
    def ratio(self) -> float | None:
        """The figure in baselines: below 1 it needs less."""
        return self.value / self.baseline_value if self.baseline_value else None


def cpu_seconds(*acts: Callable[[], object], runs: int = 15, repeat: int = 1) -> list[float]:
    """Return for each act the median CPU seconds of one call, in *runs* rounds of *repeat* calls.

    The acts take turns, so that a machine that slows down slows all of them down.
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
    """Run the bench in this module."""
    return list(import_module(module).measure())
