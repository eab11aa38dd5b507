"""Play written moves on a layout and return the verdict."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from solvers.choices import require
from solvers.klotski.goals import Question
from solvers.klotski.layout import Layout
from solvers.klotski.moves import Move, is_legal, layout_after, parse, piece_at


class Verdict(StrEnum):
    """Verdict of a replay."""

    SOLVED = "solved"
    UNSOLVED = "unsolved"
    ILLEGAL = "illegal"


class Why(StrEnum):
    """Reasons why a move is impossible."""

    NO_PIECE = "no_piece"
    BLOCKED = "blocked"

    @property
    def phrase(self) -> str:
        """The reason as a clause."""
        return "there is no piece on its square" if self == Why.NO_PIECE else "something is in its way"


@dataclass(frozen=True)
class Replay:
    """Result of a replay: *moves* were played, and *cut* more follow the one that reached the goal.

    For an illegal move *step* is its number from 1, *index* its position in the text, and *why* the reason.
    *layouts* begins with the start and ends with the final layout.
    """

    verdict: Verdict
    moves: int
    cut: int = 0
    step: int | None = None
    index: int | None = None
    why: Why | None = None
    layouts: tuple[Layout, ...] = field(default=(), repr=False)

    @property
    def is_solved(self) -> bool:
        return self.verdict == Verdict.SOLVED


def replay(question: Question, moves: str | Iterable[Move]) -> Replay:
    """Play *moves*, a text or Move objects, until the goal is reached, a move is impossible, or none is left.

    >>> from solvers.klotski.goals import question
    >>> layout = Layout.parse("VHHV VooV VCCV VCCV o..o")
    >>> replay(question(layout), "C3d")
    Replay(verdict=<Verdict.SOLVED: 'solved'>, moves=1, cut=0, step=None, index=None, why=None)
    >>> replay(question(layout), "C3d A1r").cut
    1
    >>> result = replay(question(layout), "A1d")
    >>> result.verdict.value, result.step, result.index, result.why.value
    ('illegal', 1, 0, 'blocked')

    Every word counts as a move, even if two in a row move the same piece. An illegal move is a verdict, not an
    exception; an unreadable text raises the errors of `moves.parse`. Time O(moves).
    """
    require(Question, question=question)
    require(Iterable, moves=moves)
    steps = parse(moves) if isinstance(moves, str) else [(None, move) for move in moves]
    layouts = [question.start]
    for step, (index, move) in enumerate(steps, 1):
        if question.is_answered_by(layouts[-1]):
            break
        if not is_legal(layouts[-1], move):
            why = Why.BLOCKED if piece_at(layouts[-1], move.start) else Why.NO_PIECE
            return Replay(Verdict.ILLEGAL, step - 1, 0, step, index, why, tuple(layouts))
        layouts.append(layout_after(layouts[-1], move))
    played = len(layouts) - 1
    verdict = Verdict.SOLVED if question.is_answered_by(layouts[-1]) else Verdict.UNSOLVED
    return Replay(verdict, played, len(steps) - played, layouts=tuple(layouts))
