"""A second look at moves that solve nothing as sent: what they almost are, to be offered, never taken silently.

An offer is what a submission keeps as `turned`: {"symmetry", "slot", "lurd", "moves", "pushes", "spectator"}. It counts
only when the player sends it, and then with the time of that sending (rule 6.10).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contest.models import Level
from solvers.sokoban import Moves, Replay
from solvers.sokoban.reading import readers
from solvers.sokoban.reading.plays import Plays
from solvers.sokoban.reading.readers import Outcome, Reader
from solvers.sokoban.reading.spectator import SpectatorAnswer, spectator_answer
from solvers.sokoban.reading.turned import turned_solution

# By the number of a symmetry: how the board lay for which the moves are a solution.
SYMMETRIES = ("identity", "clockwise", "half", "anticlockwise", "mirrored", "antidiagonal", "upside_down", "diagonal")
# Of the parts of a pasted text that may be moves, so many are looked at again.
MAX_TEXTS = 10
# Steps played in all attempts to turn a text back: a wrong turn ends at the first wall.
_TURNED_STEPS = 500_000


@dataclass(frozen=True)
class SecondLook:
    """What was found: a spectator answer that stands as sent, and something to offer."""

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
    """Look again at *text*, which solves none of the levels *tried*; *others* are those it was not meant for.

    Within what *plays* has left of its steps after the first look: a text that took them all is not looked at again.
    """
    if offer := _for_another_level(text, reader, limit, others, plays):
        return SecondLook(offer=offer)
    found = readers.candidates(text, reader, limit=limit).blocks
    texts = [block.moves for block in found if block.moves and block.moves.steps][:MAX_TEXTS]
    answer = spectator_answer([level.board for level in tried], texts, plays) if spectator else None
    offer = _turned_back(texts, [*tried, *others], plays)
    if answer and not answer.is_whole:
        return SecondLook(offer=offer or _possible_part(answer, tried[answer.level]))
    return SecondLook(answer, offer)


def _for_another_level(
    text: str, reader: Reader, limit: int, others: Sequence[Level], plays: Plays
) -> dict[str, Any] | None:
    """Rule 6.9: it fails on the level it names and solves another one."""
    if not others or plays.left <= 0:
        return None
    judgement = readers.judge([level.board for level in others], text, reader, limit=limit, plays=plays)
    if judgement.outcome is not Outcome.SOLVED or judgement.replay is None or judgement.level is None:
        return None
    return _offer(others[judgement.level], judgement.replay)


def _turned_back(texts: Sequence[Moves], levels: Sequence[Level], plays: Plays) -> dict[str, Any] | None:
    """Rule 6.10: it solves a level turned or mirrored."""
    turned = turned_solution([level.board for level in levels], texts, budget=min(plays.left, _TURNED_STEPS))
    return _offer(levels[turned.level], turned.replay, SYMMETRIES[turned.symmetry]) if turned else None


def _possible_part(answer: SpectatorAnswer, level: Level) -> dict[str, Any]:
    """Rule 13.4: before its slip it was a spectator answer."""
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
