"""Rebuild a level from pasted moves, like lurd2xsb did: input limits, and the URL of its page."""

from django.urls import reverse

from solvers.sokoban import Level
from solvers.sokoban.making import rebuild

LONGEST_ADDRESS = 2000  # characters; not every program supports longer URLs
MOST_STEPS = 100_000


def level_of(moves: str) -> Level:
    """Return the smallest level that *moves* solve. Raise PuzzleError. Time O(steps + cells)."""
    return rebuild.level_of(moves, limit=MOST_STEPS)


def address_of(moves: str) -> str | None:
    """Return the URL of the page to play that level; None if the moves are too long for a URL."""
    text = "".join(moves.split())
    return reverse("rebuilt", args=[text]) if len(text) <= LONGEST_ADDRESS else None
