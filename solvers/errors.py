"""Errors in puzzle texts, each with a position and a message.

For a message in another language, a caller combines its own text with `code` and `values`.
Positions count from 0 in code points (`index`) and from 1 for `line` and `column`, as editors do.
"""

import json
from copy import copy
from typing import Any, ClassVar, Self


class PuzzleError(ValueError):
    """Base error of an unreadable text: its `code`, its position, and the `values` for its message."""

    code: ClassVar[str] = "unreadable"
    template: ClassVar[str] = "This text cannot be read."

    def __init__(
        self, *, index: int | None = None, line: int | None = None, column: int | None = None, **values: Any
    ) -> None:
        self.index = index
        self.line = line
        self.column = column
        self.values = values
        super().__init__(self.template.format(**values) + self._position_text())

    def at(self, *, index: int | None = None, line: int | None = None, column: int | None = None) -> Self:
        """Return the same error at another position, for a reader that passes part of its text to another reader."""
        moved = copy(self)
        moved.index, moved.line, moved.column = index, line, column
        moved.args = (self.template.format(**self.values) + moved._position_text(),)
        return moved

    def __reduce__(self) -> Any:
        """Support copying and pickling: `args` holds the message, not the constructor's arguments."""
        return _rebuild, (type(self), self.args), self.__dict__

    def _position_text(self) -> str:
        if self.line is not None:
            return f" (line {self.line}, column {self.column or 1})"
        if self.index is not None:
            return f" (character {self.index + 1})"
        return ""


def _rebuild(kind: type[PuzzleError], args: tuple[str, ...]) -> PuzzleError:
    return kind.__new__(kind, *args)


class ForeignCharacter(PuzzleError):
    """Raised for a character that is not allowed in the text."""

    code = "foreign_character"
    template = "{character!r} is not a character of this text."


class DanglingCount(PuzzleError):
    """Raised for a run-length count with no symbol after it."""

    code = "dangling_count"
    template = "The count {count} has nothing behind it."


class UnbalancedBracket(PuzzleError):
    """Raised for a bracket without its partner."""

    code = "unbalanced_bracket"
    template = "The bracket {bracket} has no partner."


class NestedTooDeep(PuzzleError):
    """Raised for run-length groups nested beyond the limit."""

    code = "nested_too_deep"
    template = "Brackets stand more than {limit} deep."


class TooLong(PuzzleError):
    """Raised for a text that is, or would decode to, more than the limit. `values["size"]` is None beyond 10^18."""

    code = "too_long"
    template = "This is {size_words} long; the limit is {limit}."

    def __init__(self, *, size: int, limit: int, index: int | None = None) -> None:
        shown = size if size <= 10**18 else None
        size_words = f"{size:,}" if shown is not None else "more than 10^18"
        super().__init__(index=index, size=shown, size_words=size_words, limit=limit)


class TooManyParts(TooLong):
    """Raised for a text with more digits, brackets and line breaks than readers examine."""

    code = "too_many_parts"
    template = "This text has more than {limit} digits, brackets and line breaks: write the moves out on fewer lines."

    def __init__(self, *, limit: int) -> None:
        PuzzleError.__init__(self, limit=limit)


class TooManyLines(PuzzleError):
    """Raised for a text with more lines than a field for one level reads."""

    code = "too_many_lines"
    template = "This text has more than {limit} lines, too many for one level."


class TooLarge(PuzzleError):
    """Raised for a board beyond the limits of the parser."""

    code = "too_large"
    template = "The board has {width} columns and {height} rows; the limit is {limit} of each."


class BlankLine(PuzzleError):
    """Raised for a blank line inside one board."""

    code = "blank_line"
    template = "Line {line_number} is blank: write - for an empty row."


class OddLine(PuzzleError):
    """Raised for a line between two rows of one board that is not a row."""

    code = "odd_line"
    template = "Line {line_number} is between two rows of a board and is not a row."


class UnknownAlphabet(PuzzleError):
    """Raised for a board drawn with other characters than those of the known alphabets."""

    code = "unknown_alphabet"
    template = "The alphabet of this board is not known; these look like walls: {walls}."


class SeveralLevels(PuzzleError):
    """Raised for a text with several levels where one is wanted."""

    code = "several_levels"
    template = "This text has {count} levels, and one is wanted: {names}."


class TabInside(PuzzleError):
    """Raised for a tab after the first character of a row."""

    code = "tab_inside"
    template = "A row contains a tab: use spaces or -."


class NoBoard(PuzzleError):
    """Raised for a text without a board."""

    code = "no_board"
    template = "There is no board in this text."


class BadLevel(PuzzleError):
    """Raised for a level that cannot be judged: not one player, no box, or different numbers of boxes and goals."""

    code = "bad_level"
    template = "This level cannot be judged: {problem}."


class MixedAlphabets(PuzzleError):
    """Raised for a board that has walls of two alphabets."""

    code = "mixed_alphabets"
    template = "{character!r} is a wall in another notation than the rest of the board."


class WrongSize(PuzzleError):
    """Raised for a board whose text does not fill its stated size."""

    code = "wrong_size"
    template = "A board of {width} columns and {height} rows needs {expected} cells; the text has {size}."


class NotText(PuzzleError):
    """Raised for bytes that are not text: an archive, a picture, a program."""

    code = "not_text"
    template = "This is not a text file."


class BadMarkup(PuzzleError):
    """Raised for XML that is malformed or declares entities."""

    code = "bad_markup"
    template = "This XML cannot be read: {reason}."


class ReverseMode(PuzzleError):
    """Raised for moves of a game played in reverse, by pulls: they begin with a jump in square brackets."""

    code = "reverse_mode"
    template = "This is a reverse-mode game: it cannot be submitted."


class SeveralPushers(PuzzleError):
    """Raised for moves of a game with several players: player changes are in braces."""

    code = "several_pushers"
    template = "These moves are for several pushers: they cannot be submitted."


class NoPush(PuzzleError):
    """Raised for moves without a capital letter where capitals must mark the pushes."""

    code = "no_push"
    template = "This text has no capital letters: it does not show which steps push a box."


class Contradiction(PuzzleError):
    """Raised for a step that is impossible on any level after the steps before it. `values`: step (from 1), letter."""

    code = "contradiction"
    template = "Step {step} ({letter}) contradicts the steps before it."


class WalksIntoBox(Contradiction):
    """Raised for a lower-case letter towards a square that must hold a box."""

    code = "walks_into_box"
    template = "Step {step} ({letter}) walks into a square where a box must stand."


class PushesNothing(Contradiction):
    """Raised for a capital letter towards a square that must be empty."""

    code = "pushes_nothing"
    template = "Step {step} ({letter}) pushes, but the square before it must be empty."


class PushesTwoBoxes(Contradiction):
    """Raised for a push of a box against another one."""

    code = "pushes_two_boxes"
    template = "Step {step} ({letter}) pushes a box against another box."


class IllegalStep(PuzzleError):
    """Raised for an impossible step of a game. `values`: step (from 1), letter, reason, and `why` of a replay."""

    code = "illegal_step"
    template = "Move {step} ({letter}) {reason}."


class IllegalPush(PuzzleError):
    """Raised for an impossible push of a game. `values`: moves before it, box, to (a side or a cell), reason."""

    code = "illegal_push"
    template = "The box on cell {box} cannot be pushed {to} (moves so far: {moves}): {reason}."


class NoSuchMember(PuzzleError):
    """Raised for a number outside a series."""

    code = "no_such_member"
    template = "This series has members {first} to {last}, not {asked}."


class NoOddMember(PuzzleError):
    """Raised for an odd number of boxes in a series of even ones."""

    code = "no_odd_member"
    template = "This series has even numbers only, not {asked}: a search found no solution with 5, 7 or 9 boxes."


class TooMuchToDraw(PuzzleError):
    """Raised for a tree that is too large for a picture."""

    code = "too_much_to_draw"
    template = "The picture would have more than {limit} parts: draw something smaller."


class BadLine(PuzzleError):
    """Raised for a line that is not a JSON object where each line must be one."""

    code = "bad_line"
    template = "Line {line_number} is not a JSON object."


class NoField(PuzzleError):
    """Raised for a JSON object without a required field."""

    code = "no_field"
    template = "The field {name} is missing."


class NotWhole(PuzzleError):
    """Raised for a value that is not a whole number where one is required."""

    code = "not_whole"
    template = "{name} must be a whole number, not {shown}."

    def __init__(self, *, name: str, value: Any) -> None:
        super().__init__(name=name, shown=shorten_value(value))


def shorten_value(value: Any) -> str:
    """Return an unexpected value as JSON, cut to a length that fits into a sentence.

    >>> shorten_value(True), shorten_value(list(range(40)))
    ('true', '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1…')
    """
    try:
        shown = json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError):  # a circular reference, too deep nesting, or a number of thousands of digits
        shown = f"this {type(value).__name__}"
    return shown if len(shown) <= 40 else f"{shown[:40]}…"
