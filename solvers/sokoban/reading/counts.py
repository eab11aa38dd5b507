"""Remove claimed counts and line-wrap marks from pasted moves (docs/reference/formats.md, *Moves*)."""

import re

from solvers.sokoban.formats.text import quotes
from solvers.sokoban.reading.movelines import head_of

_LINE = re.compile(r"[^\r\n]+")
_DIGIT = re.compile("[0-9]")
_OTHER_GAMES = re.compile(r"[\[\]{}]")
_WRAP_MARK = re.compile(r"[\\+-](?=[ \t]*(?:[\r\n]|\Z))")
_PARTED = " \t:：=;；|"
_WORD = "[0-9()*]*[lurdLURD][lurdLURD0-9()*]*"
# Match words of moves with only counts and brackets between them. Linear: no part matches in two ways.
_STRETCH = re.compile(rf"(?:^|[{_PARTED}])({_WORD}(?:[ \t]+(?:[0-9()*]+[ \t]+)*{_WORD})*)(?![^{_PARTED}])")


def without_counts(folded: str) -> str:
    """Replace claimed counts and line-wrap marks in folded moves text by blanks; indices do not change.

    A head before counts is moved to announce the moves after them.

    >>> without_counts("Moves: 3 Pushes: 1 r2R 3/1"), without_counts("rr-\\nR")
    ('Moves             :r2R    ', 'rr \\nR')
    """
    unwrapped = _WRAP_MARK.sub(" ", folded)
    return _LINE.sub(_line_without_counts, unwrapped) if _DIGIT.search(unwrapped) else unwrapped


def _line_without_counts(line: re.Match[str]) -> str:
    """Keep the longest stretch of moves in a line that also has other numbers. Skip lines with marks of other games."""
    quoted = quotes(line[0])
    text = line[0][quoted:]
    if not _DIGIT.search(text) or _OTHER_GAMES.search(text):
        return line[0]
    moves = max(_STRETCH.finditer(text), key=lambda match: len(match[1]), default=None)
    if moves is None:
        return line[0]
    prefix, suffix = text[: moves.start(1)], text[moves.end() :]
    if not _DIGIT.search(prefix + suffix):
        return line[0]
    head = head_of(prefix)
    label = f"{head:<{len(prefix) - 1}}:" if head else " " * len(prefix)
    return f"{line[0][:quoted]}{label}{moves[1]}{' ' * len(suffix)}"
