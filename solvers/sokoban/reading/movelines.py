"""Classify lines of a text: moves, or heads that announce moves (docs/reference/formats.md, *Moves*)."""

import re
from enum import StrEnum


class LineKind(StrEnum):
    """The kind of moves in a line."""

    MOVES = "moves"
    REVERSE = "reverse"  # a game played in reverse: jumps in square brackets
    PUSHERS = "pushers"  # a game with several players: player changes in braces


_STEP = re.compile("[lurdLURD]")
_MOVES = re.compile(r"[lurdLURD0-9()* \t]+")
_MARKED = re.compile(r"[lurdLURD0-9()* \t\[\]{}]+")
_HEAD = re.compile(
    r"[ \t]*(?:best\s+solution|solution|answer|save\s?game|saved\s+game|snapshot|lurd|udlr|moves|答案)(?![a-z])",
    re.IGNORECASE,
)
_CLAIM = re.compile(r"(?<![0-9/])([0-9]{1,9})/([0-9]{1,9})(?![0-9])")


def kind_of(folded: str) -> LineKind | None:
    """Return the kind of moves in a line whose characters are already folded; None for any other text.

    >>> kind_of("3r U(dl)"), kind_of("33/8"), kind_of("[]Urrd")
    (<LineKind.MOVES: 'moves'>, None, <LineKind.REVERSE: 'reverse'>)
    """
    if not _MARKED.fullmatch(folded):
        return None
    if _MOVES.fullmatch(folded):
        return LineKind.MOVES if _STEP.search(folded) else None
    if "{" in folded or "}" in folded:
        return LineKind.PUSHERS
    return LineKind.REVERSE if _STEP.search(folded) or folded.strip() == "[]" else None


def head_of(line: str) -> str:
    """Return the words by which *line* announces moves (`Solution/Moves 33/8`, `Answer:`), or "" if it does not."""
    head = _HEAD.match(line)
    return head[0] if head else ""


def inline_moves_start(line: str) -> int | None:
    """Return the index after the last colon of a head line, where moves may begin. None without a colon.

    >>> inline_moves_start("Answer: LLrUU")
    7
    """
    return max(line.rfind(":"), line.rfind("：")) + 1 or None


def claimed_counts(line: str) -> tuple[int, int] | None:
    """Return the moves and pushes that a head line claims, or None.

    >>> claimed_counts("Best Solution 230/97 (YASS 2.86 Optimizer)")
    (230, 97)
    """
    match = _CLAIM.search(line)
    return (int(match[1]), int(match[2])) if match else None
