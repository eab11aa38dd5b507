"""What judging a text may cost: known before it is judged, so that a costly one can wait for its turn.

Measured with the worst texts of tests/contest/judging/test_cost.py; what is said here is the most, not the mean.
"""

import re
from contextlib import suppress

from solvers.errors import PuzzleError
from solvers.sokoban import runlength
from solvers.sokoban.moves import LETTERS
from solvers.sokoban.reading import readers

_SECONDS_A_TEXT = 0.0002
_SECONDS_A_BYTE = 50e-9
_SECONDS_A_STEP = 150e-9

_COUNTED = re.compile(rf"[0-9{LETTERS}()* \t\r\n]+")
_DIGIT = re.compile("[0-9]")
_BLANKS = {ord(blank): None for blank in "* \t\r\n"}


def seconds_for(text: str, limit: int) -> float:
    """How many seconds of one processor the judge needs for *text* at most, of up to *limit* steps. Time O(text)."""
    steps = min(_steps(text), readers.plays_for(limit).left)
    return _SECONDS_A_TEXT + len(text) * _SECONDS_A_BYTE + steps * _SECONDS_A_STEP


def _steps(text: str) -> int:
    """How many steps *text* decodes to at most, wherever in it the moves may be."""
    if readers.has_too_many_parts(text):
        return 0
    steps = len(text)
    if _DIGIT.search(text):
        for part in _COUNTED.findall(text):
            if _DIGIT.search(part):
                with suppress(PuzzleError):
                    steps += runlength.size(part.translate(_BLANKS), LETTERS)
    return steps
