"""Leave claimed counts and the marks of wrapped lines out of lines of moves, as 0.6.0 did."""

import re

from solvers.sokoban.formats.text import quotes
from solvers.sokoban.reading.movelines import head_of

_WRAP_MARK = re.compile(r"[\\+-](?=[ \t]*(?:[\r\n]|\Z))")
_SEPARATORS = " \t:：=;；|"
_WORD = "[0-9()*]*[lurdLURD][lurdLURD0-9()*]*"
# From one word of moves to another, with only counts and brackets between them. Linear: no part matches in two ways.
_STRETCH = re.compile(rf"(?:^|[{_SEPARATORS}])({_WORD}(?:[ \t]+(?:[0-9()*]+[ \t]+)*{_WORD})*)(?![^{_SEPARATORS}])")


def without_counts(folded: str) -> str:
    """Return folded moves text with claimed counts and the marks of wrapped lines as blanks. Indices do not change.

    A head before counts announces the moves after them.

    >>> without_counts("Moves: 3 Pushes: 1 r2R 3/1"), without_counts("rr-\\nR")
    ('Moves             :r2R    ', 'rr \\nR')
    """
    unwrapped = _WRAP_MARK.sub(" ", folded)
    return re.sub(r"[^\r\n]+", _line_without_counts, unwrapped) if re.search("[0-9]", unwrapped) else unwrapped


def _line_without_counts(line: re.Match[str]) -> str:
    """Keep the longest stretch of moves in a line that has a number beside it; not in a line of another game."""
    quoted = quotes(line[0])
    text = line[0][quoted:]
    moves = max(_STRETCH.finditer(text), key=lambda part: len(part[1]), default=None)
    if moves is None or re.search(r"[\[\]{}]", text):
        return line[0]
    before, after = text[: moves.start(1)], text[moves.end() :]
    if not re.search("[0-9]", before + after):
        return line[0]
    head = head_of(before)
    label = f"{head:<{len(before) - 1}}:" if head else " " * len(before)
    return f"{line[0][:quoted]}{label}{moves[1]}{' ' * len(after)}"
