"""Moves as LURD letters: strict parsing, step counts, and the position of each step in the text.

l u r d are steps left, up, right and down. Letter case is never required, because a third of the real solutions in
circulation has none. docs/reference/formats.md, *Moves*, lists what each reader accepts. This is the strict reader,
with or without run-length.
"""

import re
from dataclasses import dataclass, field

from solvers.errors import ForeignCharacter, PuzzleError, TooLong
from solvers.sokoban import runlength

LETTERS = "lurdLURD"
MAX_STEPS = 2_000_000

_SHOWN = 60
_WHITE_SPACE = " \t\r\n"
_PLAIN = re.compile(f"[{LETTERS}{_WHITE_SPACE}]*")


@dataclass(frozen=True)
class Moves:
    """Parsed moves: the letters as written (*steps*) and the original text (*text*).

    `index_of` locates a step in the text, for error messages.
    """

    text: str = field(repr=False)
    steps: str

    @classmethod
    def parse(cls, text: str, *, run_length: bool = True, limit: int = MAX_STEPS) -> "Moves":
        """Parse steps. Ignore blanks, tabs and line ends; decode counts and groups.

        >>> Moves.parse("2(3(dr)R)").steps
        'drdrdrRdrdrdrR'

        Text without steps is valid: `steps` is empty. Raise ForeignCharacter, DanglingCount, UnbalancedBracket or
        NestedTooDeep with the index in the text, or TooLong with the decoded size. Time O(text + steps).
        """
        if _PLAIN.fullmatch(text):
            steps = _squeeze(text)
            if len(steps) > limit:
                raise TooLong(size=len(steps), limit=limit)
            return cls(text, steps)
        if not run_length:
            raise _first_foreign(text)
        squeezed = _squeeze(text)  # before decoding, because a count may be split over lines
        try:
            return cls(text, runlength.decode(squeezed, LETTERS, limit=limit))
        except PuzzleError as error:
            raise error.at(index=None if error.index is None else _index_in(text, error.index)) from None

    @classmethod
    def of(cls, moves: "Moves | str", name: str = "moves") -> "Moves":
        """Return *moves*, parsed if they are a text. Raise PuzzleError, or TypeError that names the argument *name*."""
        if isinstance(moves, str):
            return cls.parse(moves)
        if not isinstance(moves, Moves):
            raise TypeError(f"{name} must be Moves or their text, not {moves!r}")
        return moves

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.steps)

    def index_of(self, step: int) -> int:
        """Return the index in the text of the character that produced step number *step* (from 0). Time O(text)."""
        if self.text == self.steps:
            return step
        squeezed = _squeeze(self.text)
        if squeezed != self.steps:  # compare text, not length: lengths can agree by chance (`2u` is two steps)
            step = runlength.source_index(squeezed, LETTERS, step)
        return _index_in(self.text, step)


def show_steps(lurd: str) -> str:
    """Return *lurd* for a repr, cut after 60 steps.

    >>> show_steps("r" * 100)[-6:]
    'rrr...'
    """
    return lurd if len(lurd) <= _SHOWN else f"{lurd[:_SHOWN]}..."


def _squeeze(text: str) -> str:
    """Return *text* without white space. Replacing is ten times as fast as translating where a text is not ASCII."""
    for blank in _WHITE_SPACE:
        text = text.replace(blank, "")
    return text


def _first_foreign(text: str) -> ForeignCharacter:
    index = next(at for at, letter in enumerate(text) if letter not in LETTERS + _WHITE_SPACE)
    return ForeignCharacter(index=index, character=text[index])


def _index_in(text: str, squeezed_index: int) -> int:
    """Return the index in *text* of the character at *squeezed_index* of the text without white space. Time O(text)."""
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
