"""Sealed answers (rules 5.11 to 5.13): the text that is hashed before the close and disclosed when it is opened.

The sealed text has five lines without a line end after the last, in ASCII:

    leitai-sealed-1
    ROUND/SLOT
    PLAYER
    SALT
    MOVES

PLAYER is the random number that archives use for the player: nobody can open another player's answer as their own, and
the hashed text contains no name (rule 15.6). SALT has at least 128 bits, MOVES only the eight letters: one answer with
one salt has one encoding.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self

TAG = "leitai-sealed-1"
# Rule 5.13: for this long after the reveal answers are opened, and no result is final.
OPENING_DAY = timedelta(days=1)
_TEXT = re.compile(
    rf"{TAG}\n([1-9][0-9]{{0,9}})/(main|extra|extra2|extra3)\n([1-9][0-9]{{0,15}})\n([0-9a-f]{{32,64}})\n([lurdLURD]+)",
    re.ASCII,
)


class BadSealedText(ValueError):
    """A text that is not in the sealed format."""


@dataclass(frozen=True)
class SealedText:
    """The content of a sealed text.

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
        """Parse *text* strictly. Raise BadSealedText. Time O(text)."""
        match = _TEXT.fullmatch(text)
        if not match:
            raise BadSealedText
        number, slot, player, salt, moves = match.groups()
        return cls(int(number), slot, int(player), salt, moves)

    def __str__(self) -> str:
        return "\n".join((TAG, f"{self.round}/{self.slot}", str(self.player), self.salt, self.moves))

    @property
    def sha256(self) -> str:
        """Return the digest that is sent before the close.

        $ printf '%s\\n%s\\n%s\\n%s\\n%s' leitai-sealed-1 ROUND/SLOT PLAYER SALT MOVES | sha256sum
        """
        return hashlib.sha256(str(self).encode()).hexdigest()


def moves_in(text: str) -> str:
    """Return the moves of a valid sealed text: its last line."""
    return text.rpartition("\n")[2]


def ends_at(reveals_at: datetime) -> datetime:
    """Return the end of the time for opening answers, for a round with that reveal (rule 5.13)."""
    return reveals_at + OPENING_DAY
