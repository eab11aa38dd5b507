"""Replay the candidates of one text, each only once and within a step budget (docs/reference/formats.md, *Moves*)."""

import re
from contextlib import suppress

from solvers.errors import PuzzleError
from solvers.sokoban import runlength
from solvers.sokoban.level import Level
from solvers.sokoban.moves import LETTERS, Moves
from solvers.sokoban.replay import Replay, replay

_COUNTED = re.compile(rf"[0-9{LETTERS}()* \t\r\n]+")
_DIGIT = re.compile("[0-9]")
_BLANKS = {ord(blank): None for blank in "* \t\r\n"}


def most_steps(text: str) -> int:
    """Return an upper bound on the steps that *text* decodes to, wherever its moves begin. Time O(text).

    >>> most_steps("Answer: 3r")
    13
    """
    steps = len(text)
    if _DIGIT.search(text):
        for part in _COUNTED.findall(text):
            if _DIGIT.search(part):
                with suppress(PuzzleError):
                    steps += runlength.size(part.translate(_BLANKS), LETTERS)
    return steps


class Plays:
    """Cached replays of one text's candidates on its levels, within a budget of *left* steps."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        self._cached: dict[tuple[int, str], tuple[Level, Replay]] = {}

    def replay(self, level: Level, moves: Moves) -> Replay | None:
        """Return the replay of *moves* on *level*; None if it is not cached and could exceed the steps left."""
        cache_key = id(level), moves.steps
        if cache_key in self._cached:
            return self._cached[cache_key][1]
        return self.replay_uncached(level, moves) if len(moves) <= self.left else None

    def replay_uncached(self, level: Level, moves: Moves) -> Replay:
        """Replay *moves* on *level* regardless of the budget: a text's first replay is never refused."""
        outcome = replay(level, moves)
        self.left -= outcome.moves
        self._cached[id(level), moves.steps] = level, outcome
        return outcome
