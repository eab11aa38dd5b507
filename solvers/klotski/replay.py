"""Play written moves on a layout and say what comes of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from solvers.klotski.goals import Question
from solvers.klotski.layout import Layout
from solvers.klotski.moves import Move, is_legal, layout_after, parse, piece_at


class Verdict(StrEnum):
    """What moves come to."""

    SOLVED = "solved"
    UNSOLVED = "unsolved"
    ILLEGAL = "illegal"


class Why(StrEnum):
    """What makes a move impossible."""

    NO_PIECE = "no_piece"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class Replay:
    """What came of moves: the first *moves* were played, *cut* more stand behind the one that answered the question.

    Of an illegal move *step* says which it is, from 1, *index* where it stands in the text, and *why* what is wrong.
    *layouts* begins with the start; the last one is where it ended.
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
    """Play *moves*, as text or as they are, until the question is answered, a move is impossible, or none is left.

    >>> from solvers.klotski.goals import question
    >>> layout = Layout.parse("VHHV VooV VCCV VCCV o..o")
    >>> replay(question(layout), "C3d")
    Replay(verdict=<Verdict.SOLVED: 'solved'>, moves=1, cut=0, step=None, index=None, why=None)
    >>> replay(question(layout), "C3d A1r").cut
    1
    >>> result = replay(question(layout), "A1d")
    >>> result.verdict.value, result.step, result.index, result.why.value
    ('illegal', 1, 0, 'blocked')

    A move is counted for every word, even where two in a row move the same piece. An impossible move is a verdict and
    no exception; a text that cannot be read raises what `moves.parse` raises. Time O(moves).
    """
    found = parse(moves) if isinstance(moves, str) else [(None, move) for move in moves]
    layouts = [question.start]
    for step, (index, move) in enumerate(found, 1):
        if question.is_answered_by(layouts[-1]):
            break
        if not is_legal(layouts[-1], move):
            why = Why.BLOCKED if piece_at(layouts[-1], move.start) else Why.NO_PIECE
            return Replay(Verdict.ILLEGAL, step - 1, 0, step, index, why, tuple(layouts))
        layouts.append(layout_after(layouts[-1], move))
    played = len(layouts) - 1
    verdict = Verdict.SOLVED if question.is_answered_by(layouts[-1]) else Verdict.UNSOLVED
    return Replay(verdict, played, len(found) - played, layouts=tuple(layouts))
