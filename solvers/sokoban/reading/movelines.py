"""Classify lines of a text: moves, or heads that announce moves (docs/reference/formats.md, *Moves*)."""

import re
from enum import StrEnum


class LineKind(StrEnum):
    """The kind of moves in a line."""

    MOVES = "moves"
    REVERSE = "reverse"  # a game played in reverse: jumps in square brackets
    PUSHERS = "pushers"  # a game with several players: player changes in braces


MOVES_LINE = r"[0-9()* \t\[\]]*[lurdLURD{}][lurdLURD0-9()* \t\[\]{}]*|[ \t]*\[\][ \t]*"  # of any kind
HEAD = (
    r"[ \t]*(?i:best\s+solution|solution|answer|save\s?game|saved\s+game|snapshot|lurd|udlr|moves|答案)(?i:(?![a-z]))"
)
# The first mark of another kind of game, up to a brace of its line.
OTHER_GAME = re.compile(r"[\[\]{}](?:(?<=[{}])|[^{}\r\n\0]*+[{}])?")
_CLAIM = re.compile(r"(?<![0-9/])([0-9]{1,9})/([0-9]{1,9})(?![0-9])")


def kind_of(folded: str) -> LineKind | None:
    """Return the kind of moves in a line whose characters are already folded; None for any other text.

    >>> kind_of("3r U(dl)"), kind_of("33/8"), kind_of("[]Urrd")
    (<LineKind.MOVES: 'moves'>, None, <LineKind.REVERSE: 'reverse'>)
    """
    if not re.fullmatch(MOVES_LINE, folded):
        return None
    other = OTHER_GAME.search(folded)
    if other is None:
        return LineKind.MOVES
    return LineKind.PUSHERS if other[0][-1] in "{}" else LineKind.REVERSE


def split_head(line: str) -> tuple[str, str] | None:
    """Return the part of *line* that announces moves and the text after its last colon; None if it announces none.

    >>> split_head("Answer: LLrUU"), split_head("Solution/Moves 33/8")
    (('Answer', ' LLrUU'), ('Solution/Moves 33/8', ''))
    """
    match = re.fullmatch(rf"({HEAD}.*?)(?:[:：]([^:：]*))?", line)
    return (match[1], match[2] or "") if match else None


def claimed_counts(line: str) -> tuple[int, int] | None:
    """Return the moves and pushes that a head line claims, or None.

    >>> claimed_counts("Best Solution 230/97 (YASS 2.86 Optimizer)")
    (230, 97)
    """
    match = _CLAIM.search(line)
    return (int(match[1]), int(match[2])) if match else None
