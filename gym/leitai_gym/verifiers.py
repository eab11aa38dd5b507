"""Levels of leitai-levels as a taskset of `verifiers` (Prime Intellect): one question, one answer, scored by a replay.

`verifiers` finds tasksets by the name of a top-level module: docs/how-to/language-models.md has one of two lines.
"""

from collections.abc import Iterator
from typing import Any, Literal

import verifiers.v1 as vf

from solvers.sokoban import Level
from solvers.sokoban.dataset import load_levels
from solvers.sokoban.prompting import question, score

__all__ = ["SokobanTaskset"]


class SokobanConfig(vf.TasksetConfig):
    """The levels to load; None: all grades."""

    split: Literal["train", "test", "held_out"] = "train"
    grade: int | None = None


class SokobanData(vf.TaskData):
    """One level: the board as XSB, and the proved minimum of pushes."""

    xsb: str
    push_optimum: int


class SokobanTask(vf.Task[SokobanData, vf.State, vf.TaskConfig]):
    """Solve one level in one answer."""

    @vf.reward
    async def solved(self, trace: Any) -> float:
        """Return 1 if the moves of the reply solve the level, else 0."""
        return float(score(Level.parse(self.data.xsb), trace.last_reply).is_solved)

    @vf.metric
    async def excess_pushes(self, trace: Any) -> float:
        """Return the pushes beyond the minimum; -1 without a solution."""
        result = score(Level.parse(self.data.xsb), trace.last_reply)
        return float(result.pushes - self.data.push_optimum) if result.is_solved else -1.0


class SokobanTaskset(vf.Taskset[SokobanTask, SokobanConfig]):
    """The shipped levels of a split and, if given, a grade."""

    def load(self) -> Iterator[SokobanTask]:
        for entry in load_levels(self.config.split, self.config.grade):
            data = SokobanData(
                id=entry.id, prompt=question(entry.level), xsb=entry.xsb, push_optimum=entry.push_optimum
            )  # fmt: skip
            yield SokobanTask(data, self.config.task)
