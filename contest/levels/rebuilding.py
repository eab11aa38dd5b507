"""Rebuild a level from moves that somebody brings, as lurd2xsb did: how much is read, and where its page is."""

from django.urls import reverse

from solvers.sokoban import Level
from solvers.sokoban.making import rebuild

LONGEST_ADDRESS = 2000  # letters; longer moves have no address, for not every program carries more
MOST_STEPS = 100_000


def level_of(moves: str) -> Level:
    """The smallest level on which *moves* are a solution. Raise PuzzleError. Time O(steps + cells)."""
    return rebuild.level_of(moves, limit=MOST_STEPS)


def address_of(moves: str) -> str | None:
    """The page on which that level is played; None where the moves are too long for an address."""
    text = "".join(moves.split())
    return reverse("rebuilt", args=[text]) if len(text) <= LONGEST_ADDRESS else None
