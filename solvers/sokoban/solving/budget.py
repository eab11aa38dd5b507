"""Budgets, limits and progress reports of a search."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Limit(StrEnum):
    """Limits that can end a search without an answer."""

    NODES = "nodes"
    CPU_SECONDS = "cpu_seconds"
    MEGABYTES = "megabytes"
    CANCELLED = "cancelled"
    METHODS = "methods"  # all methods of this search were tried without a proof


@dataclass(frozen=True)
class Budget:
    """Limits: nodes stored, CPU seconds of this thread, megabytes of tables. None means unlimited.

    Wall time is never used: on a busy machine the same budget must mean the same work.
    """

    nodes: int | None = None
    cpu_seconds: float | None = None
    megabytes: int | None = 1024

    def __post_init__(self) -> None:
        limits: dict[str, Any] = vars(self)
        for name, limit in limits.items():
            is_number = isinstance(limit, int) or (name == "cpu_seconds" and isinstance(limit, float))
            if limit is not None and not (is_number and limit >= 0):
                words = "a number" if name == "cpu_seconds" else "a whole number"
                raise ValueError(f"{name} must be {words} from 0, or None, not {limit!r}")


@dataclass(frozen=True)
class Progress:
    """Progress of a search: nodes stored, depth in pushes or macro moves, proven lower bound, best solution's count."""

    nodes: int
    depth: int = 0
    bound: int = 0
    best: int | None = None
    part: str = ""


Report = Callable[[Progress], object]


class Meter:
    """Enforces the budget of one search. Kernels run in batches; call `over` after each batch.

    *report* receives the progress, at most ten times a second; *cancelled* returns whether to stop.
    """

    def __init__(
        self, budget: Budget, *, report: Report | None = None, cancelled: Callable[[], bool] | None = None
    ) -> None:
        self.budget = budget
        self.nodes = 0
        self._report = report
        self._cancelled = cancelled
        self._began = time.thread_time()
        self._last_report = 0.0

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of this thread since the search began."""
        return time.thread_time() - self._began

    @property
    def nodes_left(self) -> int:
        return 1 << 62 if self.budget.nodes is None else self.budget.nodes - self.nodes

    @property
    def bytes_allowed(self) -> int:
        return 1 << 62 if self.budget.megabytes is None else self.budget.megabytes << 20

    def remaining(self, nodes: int) -> Budget:
        """Return the rest of the budget for a part of the search, with at most *nodes* nodes."""
        seconds = self.budget.cpu_seconds
        left = None if seconds is None else max(0.0, seconds - self.cpu_seconds)
        return Budget(max(0, min(nodes, self.nodes_left)), left, self.budget.megabytes)

    def over(self, progress: Progress | None = None) -> Limit | None:
        """Report the progress, and return the limit that is reached, or None."""
        now = self.cpu_seconds
        if progress and self._report and now - self._last_report > 0.1:
            self._last_report = now
            self._report(progress)
        if self._cancelled and self._cancelled():
            return Limit.CANCELLED
        if self.budget.cpu_seconds is not None and now >= self.budget.cpu_seconds:
            return Limit.CPU_SECONDS
        if self.budget.nodes is not None and self.nodes >= self.budget.nodes:
            return Limit.NODES
        return None
