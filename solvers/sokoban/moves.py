"""Moves text in LURD letters: read it strictly, count its steps, point at its characters.

l u r d are steps left, up, right and down; letter case is never required, because a third of the real solutions in
circulation has none. docs/formats.md, *Moves*, says what each reader takes; this is the strict one, with and
without run-length.
"""

import re
from dataclasses import dataclass, field

from solvers.errors import ForeignCharacter, PuzzleError, TooLong
from solvers.sokoban import runlength

LETTERS = "lurdLURD"
MAX_STEPS = 2_000_000

_WHITE_SPACE = " \t\r\n"
_PLAIN = re.compile(f"[{LETTERS}{_WHITE_SPACE}]*")
_WITHOUT_WHITE_SPACE = {ord(blank): None for blank in _WHITE_SPACE}


@dataclass(frozen=True)
class Moves:
    """Steps as the letters stood in the text (*steps*), and the text itself (*text*).

    A mistake is pointed at in the text: see `index_of`.
    """

    text: str = field(repr=False)
    steps: str

    @classmethod
    def parse(cls, text: str, *, run_length: bool = True, limit: int = MAX_STEPS) -> "Moves":
        """Read steps; blanks, tabs and line ends between them are ignored, counts and groups decoded.

        >>> Moves.parse("2(3(dr)R)").steps
        'drdrdrRdrdrdrR'

        Text without a step is no error: `steps` is empty. Raise ForeignCharacter, DanglingCount, UnbalancedBracket or
        NestedTooDeep with the index in the text, TooLong with the size it would decode to. Time O(text + steps).
        """
        if _PLAIN.fullmatch(text):
            steps = text.translate(_WITHOUT_WHITE_SPACE) if not text.isalpha() else text
            if len(steps) > limit:
                raise TooLong(size=len(steps), limit=limit)
            return cls(text, steps)
        if not run_length:
            raise _first_foreign(text)
        squeezed = text.translate(_WITHOUT_WHITE_SPACE)  # before decoding: a count may be broken over lines
        try:
            return cls(text, runlength.decode(squeezed, LETTERS, limit=limit))
        except PuzzleError as error:
            raise error.at(index=None if error.index is None else _index_in(text, error.index)) from None

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.steps)

    def index_of(self, step: int) -> int:
        """Return the index in the text of the character that step number *step* (from 0) came from. Time O(text)."""
        if self.text == self.steps:
            return step
        squeezed = self.text.translate(_WITHOUT_WHITE_SPACE)
        if squeezed != self.steps:  # the lengths may agree by chance: `2u` is two steps
            step = runlength.source_index(squeezed, LETTERS, step)
        return _index_in(self.text, step)


def _first_foreign(text: str) -> ForeignCharacter:
    index = next(at for at, letter in enumerate(text) if letter not in LETTERS + _WHITE_SPACE)
    return ForeignCharacter(index=index, character=text[index])


def _index_in(text: str, squeezed_index: int) -> int:
    """The index in *text* of the character at *squeezed_index* once white space is left out. Time O(text)."""
    start, end = 0, len(text)
    while end - start > 1:
        middle = (start + end) // 2
        letters = middle - start - sum(text.count(blank, start, middle) for blank in _WHITE_SPACE)
        if letters > squeezed_index:
            end = middle
        else:
            squeezed_index -= letters
            start = middle
    return start
