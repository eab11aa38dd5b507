"""Every way a text can be wrong, each with a position and words for a person.

A caller that speaks another language than English builds its own words from `code` and `values`.
Positions count from 0 in code points (`index`) and from 1 for `line` and `column`, as editors do.
"""

import json
from copy import copy
from typing import Any, ClassVar, Self


class PuzzleError(ValueError):
    """A text that cannot be read: what is wrong (`code`), where, and the numbers its words need (`values`)."""

    code: ClassVar[str] = "unreadable"
    words: ClassVar[str] = "This text cannot be read."

    def __init__(
        self, *, index: int | None = None, line: int | None = None, column: int | None = None, **values: Any
    ) -> None:
        self.index = index
        self.line = line
        self.column = column
        self.values = values
        super().__init__(self.words.format(**values) + self._place())

    def at(self, *, index: int | None = None, line: int | None = None, column: int | None = None) -> Self:
        """The same error at another place: for a reader that hands a part of its text to another one."""
        moved = copy(self)
        moved.index, moved.line, moved.column = index, line, column
        moved.args = (self.words.format(**self.values) + moved._place(),)
        return moved

    def __reduce__(self) -> Any:
        """Let an error be copied, and sent to another process: its `args` are its message, not what it was made of."""
        return _rebuild, (type(self), self.args), self.__dict__

    def _place(self) -> str:
        if self.line is not None:
            return f" (line {self.line}, column {self.column or 1})"
        if self.index is not None:
            return f" (character {self.index + 1})"
        return ""


def _rebuild(kind: type[PuzzleError], args: tuple[str, ...]) -> PuzzleError:
    return kind.__new__(kind, *args)


class ForeignCharacter(PuzzleError):
    """A character that the reader does not know."""

    code = "foreign_character"
    words = "{character!r} is not a character of this text."


class DanglingCount(PuzzleError):
    """A run-length count with nothing behind it."""

    code = "dangling_count"
    words = "The count {count} has nothing behind it."


class UnbalancedBracket(PuzzleError):
    """A bracket without its partner."""

    code = "unbalanced_bracket"
    words = "The bracket {bracket} has no partner."


class NestedTooDeep(PuzzleError):
    """Run-length groups in groups beyond the limit."""

    code = "nested_too_deep"
    words = "Brackets stand more than {limit} deep."


class TooLong(PuzzleError):
    """A text that is, or would decode to, more than the limit. `values["size"]` is None beyond 10^18."""

    code = "too_long"
    words = "This is {size_words} long; the limit is {limit}."

    def __init__(self, *, size: int, limit: int, index: int | None = None) -> None:
        shown = size if size <= 10**18 else None
        size_words = f"{size:,}" if shown is not None else "more than 10^18"
        super().__init__(index=index, size=shown, size_words=size_words, limit=limit)


class TooManyParts(TooLong):
    """A text with more digits, brackets and line ends than anybody looks through."""

    code = "too_many_parts"
    words = "These are more than {limit} digits, brackets and line ends; write the moves out on fewer lines."

    def __init__(self, *, limit: int) -> None:
        PuzzleError.__init__(self, limit=limit)


class TooLarge(PuzzleError):
    """A board beyond the limits of the parser."""

    code = "too_large"
    words = "The board has {width} columns and {height} rows; at most {limit} of each can be read."


class BlankLine(PuzzleError):
    """A blank line inside one board."""

    code = "blank_line"
    words = "Line {line_number} is blank: write - for an empty row."


class TabInside(PuzzleError):
    """A tab behind the first character of a row."""

    code = "tab_inside"
    words = "A tab stands inside a row: write blanks or -."


class NoBoard(PuzzleError):
    """A text without a board."""

    code = "no_board"
    words = "There is no board in this text."


class BadLevel(PuzzleError):
    """A level that cannot be judged: not one player, no box, or boxes and goals that differ in number."""

    code = "bad_level"
    words = "This level cannot be judged: {problem}."


class MixedAlphabets(PuzzleError):
    """A board that has walls of two alphabets."""

    code = "mixed_alphabets"
    words = "{character!r} is a wall of another alphabet than the rest of the board."


class WrongSize(PuzzleError):
    """A board whose text does not fill the size that stands with it."""

    code = "wrong_size"
    words = "A board of {width} columns and {height} rows needs {expected} cells; the text has {size}."


class NotText(PuzzleError):
    """Bytes that are no text: an archive, a picture, a program."""

    code = "not_text"
    words = "This is not a text file."


class BadMarkup(PuzzleError):
    """XML that is broken, or that declares entities."""

    code = "bad_markup"
    words = "This XML cannot be read: {reason}."


class ReverseMode(PuzzleError):
    """Moves of a game played backwards, pulling boxes: they begin with a jump in square brackets."""

    code = "reverse_mode"
    words = "This is a reverse-mode game: it cannot be entered."


class SeveralPushers(PuzzleError):
    """Moves of a game with several players: changes stand in braces."""

    code = "several_pushers"
    words = "These moves are for several pushers: they cannot be entered."


class NoPush(PuzzleError):
    """Moves of which none is a push by its letter, where the pushes must be told from the walking."""

    code = "no_push"
    words = "No letter of this text is a capital: nobody can tell which steps push a box."


class Contradiction(PuzzleError):
    """A step that cannot be true on any level, after the steps before it. `values` are step (from 1) and letter."""

    code = "contradiction"
    words = "Step {step} ({letter}) contradicts the steps before it."


class WalksIntoBox(Contradiction):
    """A small letter towards a square where a box must stand."""

    code = "walks_into_box"
    words = "Step {step} ({letter}) walks into a square where a box must stand."


class PushesNothing(Contradiction):
    """A capital letter towards a square that must be empty."""

    code = "pushes_nothing"
    words = "Step {step} ({letter}) pushes, but the square before it must be empty."


class PushesTwoBoxes(Contradiction):
    """A push of a box against another one."""

    code = "pushes_two_boxes"
    words = "Step {step} ({letter}) pushes a box against another box."


class NoSuchMember(PuzzleError):
    """A number outside a series."""

    code = "no_such_member"
    words = "This series has members {first} to {last}, not {asked}."


class BadLine(PuzzleError):
    """A line that is not a JSON object, among lines of which each must be one."""

    code = "bad_line"
    words = "Line {line_number} is not a JSON object."


class NoField(PuzzleError):
    """A JSON object without a field that it must have."""

    code = "no_field"
    words = "The field {name} is missing."


class NotWhole(PuzzleError):
    """Something else where a whole number must stand."""

    code = "not_whole"
    words = "{name} must be a whole number, not {shown}."

    def __init__(self, *, name: str, value: Any) -> None:
        super().__init__(name=name, shown=brief(value))


def brief(value: Any) -> str:
    """What stands where something else is expected, as JSON has it, cut to a length that fits into a sentence.

    >>> brief(True), brief(list(range(40)))
    ('true', '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1…')
    """
    try:
        shown = json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError):  # it holds itself, is nested too deep, or is a number of thousands of digits
        shown = f"this {type(value).__name__}"
    return shown if len(shown) <= 40 else f"{shown[:40]}…"
