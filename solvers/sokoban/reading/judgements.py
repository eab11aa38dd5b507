"""The result of judging a text: outcome, replay, place of the first mistake, and the parts that were not read."""

from dataclasses import dataclass
from enum import StrEnum

from solvers.errors import PuzzleError
from solvers.sokoban.problems import Problem
from solvers.sokoban.reading.pasted import LeftOut
from solvers.sokoban.replay import Replay


class Outcome(StrEnum):
    """Result of judging a text."""

    SOLVED = "solved"
    NOT_SOLVED = "not_solved"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    BAD_LEVEL = "bad_level"


@dataclass(frozen=True)
class SolvingCandidate:
    """A candidate that solves level number *level*."""

    start: int
    level: int
    replay: Replay


@dataclass(frozen=True)
class Judgement:
    """Result of judging a text on one or several levels.

    *level* is the number of the solved level, or of the level on which the text got furthest; *replay* is its replay.
    *index* (from 0, in the original text), *step* (from 1) and *why* locate the first mistake. *solved* lists every
    candidate of the reading that solves a level; the outcome is the best of them by moves. *error* holds the message.
    *reading* is the name of the reading that was played, and *left_out* the first parts of the text outside it.
    *untried* lists the levels on which a part of an unsolved text was not played, because the steps were used up.
    *board* is (level number, symmetry) of a board drawn in the text; *other_board* is True if it matches no level.
    """

    outcome: Outcome
    level: int | None = None
    replay: Replay | None = None
    index: int | None = None
    step: int | None = None
    why: str | None = None
    error: PuzzleError | None = None
    problem: Problem | None = None
    solved: tuple[SolvingCandidate, ...] = ()
    reading: str = ""
    left_out: tuple[LeftOut, ...] = ()
    untried: tuple[int, ...] = ()
    board: tuple[int, int] | None = None
    other_board: bool = False

    @property
    def moves(self) -> int:
        """Steps played up to the first solved state or the first mistake; 0 if nothing was replayed."""
        return self.replay.moves if self.replay else 0

    @property
    def pushes(self) -> int:
        return self.replay.pushes if self.replay else 0

    @property
    def cut(self) -> int:
        return self.replay.cut if self.replay else 0

    @property
    def case_corrected(self) -> bool:
        return bool(self.replay and self.replay.case_corrected)
