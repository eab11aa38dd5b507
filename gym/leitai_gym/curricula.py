"""Choice of the next level: any of them, or stage by stage, from easy to hard.

Both environments take one in place of their levels; the boards of a vector environment share it.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from numpy.random import Generator

from leitai_gym.puzzles import Levels, Puzzle, read_levels

METRICS = ("pushes", "moves")


class Uniform:
    """Every level is equally likely."""

    def __init__(self, levels: Levels = None) -> None:
        self.puzzles = read_levels(levels)

    def choose(self, rng: Generator) -> int:
        """Return the number of the next level."""
        return int(rng.integers(len(self.puzzles)))

    def record(self, number: int, *, is_solved: bool) -> None:
        """Take note of an episode on level *number* that ended, or was given up, with at least one action."""


class Curriculum(Uniform):
    """Levels of the *stages* reached so far are equally likely; the next stage begins after enough successes.

    A stage is passed when the last *window* episodes on its own levels include *passed* * *window* solved ones. The
    attribute `stage` counts from 0 and ends at the last one.
    """

    def __init__(self, stages: Iterable[Sequence[Puzzle]], *, passed: float = 0.8, window: int = 50) -> None:
        sizes = []
        puzzles: list[Puzzle] = []
        for stage, puzzles_of_stage in enumerate(stages):
            if not puzzles_of_stage:
                raise ValueError(f"stage {stage} has no level.")
            puzzles += puzzles_of_stage
            sizes.append(len(puzzles))
        super().__init__(puzzles)
        self.ends, self.passed = sizes, passed
        self.stage, self._recent = 0, deque[bool](maxlen=window)

    def choose(self, rng: Generator) -> int:
        return int(rng.integers(self.ends[self.stage]))

    def record(self, number: int, *, is_solved: bool) -> None:
        begin = self.ends[self.stage - 1] if self.stage else 0
        if self.stage == len(self.ends) - 1 or not begin <= number < self.ends[self.stage]:
            return
        self._recent.append(is_solved)
        if len(self._recent) == self._recent.maxlen and sum(self._recent) / len(self._recent) >= self.passed:
            self.stage += 1
            self._recent.clear()


def by_optimum(
    levels: Levels, *, metric: str = "pushes", stages: int = 5, passed: float = 0.8, window: int = 50
) -> Curriculum:
    """Return the levels in *stages* of one size, ordered by their fewest *metric*, pushes or moves.

    >>> from leitai_gym import shipped
    >>> curriculum = by_optimum(shipped(), stages=4)
    >>> [curriculum.puzzles[end - 1].pushes for end in curriculum.ends]
    [5, 13, 27, 40]

    Raise ValueError if that is not proved for a level; `with_optimum` proves it.
    """
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}, not {metric!r}.")
    puzzles = sorted(read_levels(levels), key=lambda puzzle: _known(puzzle, metric))
    if not 1 <= stages <= len(puzzles):
        raise ValueError(f"{len(puzzles)} levels cannot be divided into {stages} stages.")
    ends = [len(puzzles) * stage // stages for stage in range(stages + 1)]
    parts = [puzzles[begin:end] for begin, end in pairwise(ends)]
    return Curriculum(parts, passed=passed, window=window)


def by_difficulty(levels: Levels, *, passed: float = 0.8, window: int = 50) -> Curriculum:
    """Return the levels with one stage for each grade that occurs. Raise ValueError for a level without a grade."""
    puzzles = sorted(read_levels(levels), key=lambda puzzle: _known(puzzle, "grade"))
    grades = groupby(puzzles, key=lambda puzzle: puzzle.grade)
    return Curriculum([list(group) for _, group in grades], passed=passed, window=window)


def _known(puzzle: Puzzle, field: str) -> int:
    value: int | None = getattr(puzzle, field)
    if value is None:
        wanted = "grade" if field == "grade" else f"proved number of {field}"
        raise ValueError(f"{puzzle.name} has no {wanted}: use with_optimum(levels).")
    return value
