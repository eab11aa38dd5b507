"""Sealed answers (rules 5.11 to 5.13): what is hashed before the close, and read when it is opened.

The sealed text has five lines without a line end after the last, in ASCII:

    leitai-sealed-1
    ROUND/SLOT
    PLAYER
    SALT
    MOVES

PLAYER is the random number by which archives name the player, so that nobody can open another's answer as their own
and no name stands in what is hashed (rule 15.6). SALT has 128 bits at least, MOVES the eight letters and nothing else:
one answer with one salt has one spelling.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self

TAG = "leitai-sealed-1"
# Rule 5.13: so long after the reveal answers are opened, and no result is final.
OPENING_DAY = timedelta(days=1)
_TEXT = re.compile(
    rf"{TAG}\n([1-9][0-9]{{0,9}})/(main|extra|extra2|extra3)\n([1-9][0-9]{{0,15}})\n([0-9a-f]{{32,64}})\n([lurdLURD]+)",
    re.ASCII,
)


class BadSealedText(ValueError):
    """A text that is no sealed text."""


@dataclass(frozen=True)
class SealedText:
    """What a sealed text says.

    >>> sealed = SealedText(219, "main", 4711, "0" * 32, "rR")
    >>> SealedText.parse(str(sealed)) == sealed
    True
    >>> sealed.sha256
    'b8bc80554886ea287801d6d3b4a1b16fa91c20b555285380d43fc6c6f7c86c15'
    """

    round: int
    slot: str
    player: int
    salt: str = field(repr=False)
    moves: str = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read *text* to the letter. Raise BadSealedText. Time O(text)."""
        found = _TEXT.fullmatch(text)
        if not found:
            raise BadSealedText
        number, slot, player, salt, moves = found.groups()
        return cls(int(number), slot, int(player), salt, moves)

    def __str__(self) -> str:
        return "\n".join((TAG, f"{self.round}/{self.slot}", str(self.player), self.salt, self.moves))

    @property
    def sha256(self) -> str:
        """What is sent before the close.

        $ printf '%s\\n%s\\n%s\\n%s\\n%s' leitai-sealed-1 ROUND/SLOT PLAYER SALT MOVES | sha256sum
        """
        return hashlib.sha256(str(self).encode()).hexdigest()


def moves_in(text: str) -> str:
    """The moves of a sealed text that was read before: its last line."""
    return text.rpartition("\n")[2]


def ends_at(reveals_at: datetime) -> datetime:
    """Until when answers of a round with that reveal are opened (rule 5.13)."""
    return reveals_at + OPENING_DAY
