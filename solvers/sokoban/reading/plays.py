"""Replay the candidates of one text, each once and within a budget of steps (docs/reference/formats.md, *Moves*)."""

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
    """Cached replays of one text's candidates, within a budget of *steps* on each level: their order decides nothing.

    *played* counts the steps on all levels together.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self._played: dict[int, int] = {}
        self._cached: dict[tuple[int, str], tuple[Level, Replay]] = {}

    @property
    def played(self) -> int:
        return sum(self._played.values())

    def replay(self, level: Level, moves: Moves) -> Replay | None:
        """Return the replay of *moves* on *level*; None if it is not cached and could exceed the level's budget."""
        cache_key = id(level), moves.steps
        if cache_key in self._cached:
            return self._cached[cache_key][1]
        played = self._played.get(id(level), 0)
        if played + len(moves) > self.steps:
            return None
        outcome = replay(level, moves)
        self._played[id(level)] = played + outcome.moves
        self._cached[cache_key] = level, outcome
        return outcome
