"""Spectator answers: all boxes but one on goals (contest rule 13)."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.reading.plays import Plays
from solvers.sokoban.replay import Replay, Verdict


@dataclass(frozen=True)
class SpectatorAnswer:
    """Moves that bring all boxes but one onto goals on level number *level*.

    *lurd* ends at the first such state, and *cut* further steps of the text follow. *is_whole* is True if all steps of
    the text are possible: after an impossible step the text is no answer, though its possible part is one (rule 13.4).
    """

    level: int
    lurd: str = field(repr=False)
    moves: int
    pushes: int
    boxes: int
    boxes_home: int
    cut: int
    case_corrected: bool
    is_whole: bool


def spectator_answer(
    levels: Sequence[Level], texts: Iterable[Moves], plays: Plays | None = None
) -> SpectatorAnswer | None:
    """Find the first of *levels* on which one of *texts* has all boxes but one on goals after a push (rule 13.3).

    >>> level = Level.parse("#######|#@$.$.#|#######")
    >>> spectator_answer([level], [Moves.parse("Rl")])
    SpectatorAnswer(level=0, moves=1, pushes=1, boxes=2, boxes_home=1, cut=1, case_corrected=False, is_whole=True)

    Use it only for texts that solve none of the levels. Fully possible texts precede others. Time O(levels x moves),
    bounded by the steps that *plays* has left; replays already cached in *plays* are free.
    """
    plays = plays or Plays(sys.maxsize)
    answers = [
        _answer(number, moves, outcome)
        for number, level in enumerate(levels)
        for moves in texts
        if (outcome := plays.replay(level, moves)) and outcome.pushes and outcome.best_home == outcome.boxes - 1 > 0
    ]
    return min(answers, key=lambda answer: not answer.is_whole, default=None)


def _answer(level: int, moves: Moves, outcome: Replay) -> SpectatorAnswer:
    lurd = outcome.lurd[: outcome.best_at]
    return SpectatorAnswer(
        level,
        lurd,
        moves=len(lurd),
        pushes=sum(letter.isupper() for letter in lurd),
        boxes=outcome.boxes,
        boxes_home=outcome.best_home,
        cut=len(moves) - len(lurd),
        case_corrected=not moves.steps.startswith(lurd),
        is_whole=outcome.verdict == Verdict.NOT_SOLVED,
    )
