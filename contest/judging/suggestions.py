"""Look again at moves that solve nothing as sent: find the near miss and offer it, but never apply it silently.

An offer is stored in the submission's `turned`: {"symmetry", "slot", "lurd", "moves", "pushes", "spectator"}. It counts
only when the player submits it, with the time of that submission (rule 6.10).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contest.models import Level
from contest.rules.move_readers import possible_moves
from solvers.sokoban import Moves, Replay
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.plays import Plays
from solvers.sokoban.reading.readers import Outcome, Reader
from solvers.sokoban.reading.spectator import SpectatorAnswer, spectator_answer
from solvers.sokoban.reading.turned import turned_solution

# Indexed by symmetry number: the orientation of the board that the moves solve.
SYMMETRIES = ("identity", "clockwise", "half", "anticlockwise", "mirrored", "antidiagonal", "upside_down", "diagonal")
# Steps over all attempts to turn a text back: a wrong orientation fails at the first wall.
_TURNED_STEPS = 500_000


@dataclass(frozen=True)
class SecondLook:
    """The findings: a spectator answer that counts as sent, and an offer."""

    spectator: SpectatorAnswer | None = None
    offer: dict[str, Any] | None = None


def second_look(
    text: str,
    reader: Reader,
    limit: int,
    *,
    tried: Sequence[Level],
    others: Sequence[Level],
    spectator: bool,
    plays: Plays,
) -> SecondLook:
    """Examine *text*, which solves none of the levels *tried*; *others* are the levels it was not sent for.

    Limited to the steps that *plays* has left: a text that used them all is not turned.
    """
    if offer := _for_another_level(text, reader, limit, others, plays):
        return SecondLook(offer=offer)
    texts = possible_moves(text, reader, limit)
    answer = spectator_answer([level.board for level in tried], texts, plays) if spectator else None
    offer = _turned_back(texts, [*tried, *others], plays)
    if answer and not answer.is_whole:
        return SecondLook(offer=offer or _possible_part(answer, tried[answer.level]))
    return SecondLook(answer, offer)


def _for_another_level(
    text: str, reader: Reader, limit: int, others: Sequence[Level], plays: Plays
) -> dict[str, Any] | None:
    """Return an offer for another level, which the text solves instead of the one it names (rule 6.9)."""
    if not others:
        return None
    judgement = readers.judge([level.board for level in others], text, reader, limit=limit, plays=plays)
    if judgement.outcome is not Outcome.SOLVED or judgement.replay is None or judgement.level is None:
        return None
    return _offer(others[judgement.level], judgement.replay)


def _turned_back(texts: Sequence[Moves], levels: Sequence[Level], plays: Plays) -> dict[str, Any] | None:
    """Return an offer for a level that it solves turned or mirrored (rule 6.10)."""
    budget = max(0, min(plays.steps - plays.played, _TURNED_STEPS))
    turned = turned_solution([level.board for level in levels], texts, budget=budget)
    return _offer(levels[turned.level], turned.replay, SYMMETRIES[turned.symmetry]) if turned else None


def _possible_part(answer: SpectatorAnswer, level: Level) -> dict[str, Any]:
    """Return an offer for the part before its mistake, which is a spectator answer (rule 13.4)."""
    return _offer(level, answer, spectator=True)


def _offer(
    level: Level, solution: Replay | SpectatorAnswer, symmetry: str = SYMMETRIES[0], *, spectator: bool = False
) -> dict[str, Any]:
    return {
        "symmetry": symmetry,
        "slot": level.slot,
        "lurd": solution.lurd,
        "moves": solution.moves,
        "pushes": solution.pushes,
        "spectator": spectator,
    }
