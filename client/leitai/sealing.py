"""Sealed answers: commit to a solution by a hash before the close, open it within a day after (docs/reference/api.md).

The moves are played and hashed on this machine, and leave it only when the answer is opened.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from leitai.base import Shape
from leitai.calls import Page, pages, read_as
from leitai.errors import LeitaiError
from leitai.shapes import Player, Receipt
from leitai.talking import Call, name_missing

_STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
SALT_BYTES = 16


@dataclass(frozen=True)
class SealedAnswer(Shape):
    """A solution that a player has committed to; *state* is sealed (still unproved), opened or void."""

    number: int
    round: int
    slot: str
    player: Player
    moves: int
    pushes: int
    sha256: str
    state: str
    received_at: datetime
    submission: int | None = None


def sealed_answers(number: int) -> Call[Page[SealedAnswer]]:
    return name_missing(pages(f"rounds/{number}/sealed/", SealedAnswer), f"Round {number}")


def seal(number: int, entry: Mapping[str, Any]) -> Call[SealedAnswer]:
    call = Call(f"rounds/{number}/sealed/", read_as(SealedAnswer), "POST", body=dict(entry))
    return name_missing(call, f"Round {number}")


def open_sealed(text: str) -> Call[Receipt]:
    number = round_of(text)
    call = Call(f"rounds/{number}/sealed/open/", read_as(Receipt), "POST", body={"text": text})
    return name_missing(call, f"Round {number}")


def sealed_text(number: int, slot: str, player: int, lurd: str, salt: str = "") -> str:
    """Return the five lines to hash; *player* is the token's `archive_number`, and the salt is random by default.

    >>> sealed_text(219, "main", 4711, "rR", "0" * 32).splitlines()
    ['leitai-sealed-1', '219/main', '4711', '00000000000000000000000000000000', 'rR']
    """
    return "\n".join(("leitai-sealed-1", f"{number}/{slot}", str(player), salt or secrets.token_hex(SALT_BYTES), lurd))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def round_of(text: str) -> int:
    """Return the round that a sealed text names. Raise LeitaiError."""
    lines = text.split("\n")
    number = lines[1].partition("/")[0] if len(lines) > 1 else ""
    if lines[0] != "leitai-sealed-1" or not (number.isascii() and number.isdigit()):
        raise LeitaiError("this is no sealed text: it has five lines, the first of them leitai-sealed-1")
    return int(number)


def play(board: str, moves: str) -> str:
    """Return *moves* up to the first solved state, with capitals at pushes. Raise LeitaiError if they do not solve.

    *board* is XSB as the API has it; white space in *moves* does not matter. Time O(board + moves x boxes).

    >>> play("#####\\n#@$.#\\n#####", "r l")
    'R'
    """
    cells = {(row, column): sign for row, line in enumerate(board.split("\n")) for column, sign in enumerate(line)}
    boxes = {cell for cell, sign in cells.items() if sign in "$*"}
    goals = {cell for cell, sign in cells.items() if sign in ".*+"}
    row, column = next(cell for cell, sign in cells.items() if sign in "@+")
    lurd = ""
    for letter in "".join(moves.split()).lower():
        if letter not in _STEPS:
            raise LeitaiError(f"only the letters l, u, r and d are sealed, not {letter!r}")
        down, right = _STEPS[letter]
        ahead, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
        is_push = ahead in boxes
        if cells.get(ahead, "#") == "#" or (is_push and (cells.get(beyond, "#") == "#" or beyond in boxes)):
            raise LeitaiError(f"move {len(lurd) + 1} ({letter}) is impossible")
        if is_push:
            boxes = (boxes - {ahead}) | {beyond}
        (row, column), lurd = ahead, lurd + (letter.upper() if is_push else letter)
        if is_push and boxes == goals:
            return lurd
    raise LeitaiError("these moves do not solve the level")
