"""Rebuild a level from pasted moves, like lurd2xsb did: input limits, and the URL of its page."""

from django.urls import reverse

from solvers.sokoban import Level
from solvers.sokoban.making import rebuild

MAX_URL_LENGTH = 2000  # characters; not every program supports longer URLs
MAX_STEPS = 100_000


def level_of(moves: str) -> Level:
    """Return the smallest level that *moves* solve. Raise PuzzleError. Time O(steps + cells)."""
    return rebuild.level_of(moves, limit=MAX_STEPS)


def address_of(moves: str) -> str | None:
    """Return the URL of the page to play that level; None if the moves are too long for a URL."""
    text = "".join(moves.split())
    return reverse("rebuilt", args=[text]) if len(text) <= MAX_URL_LENGTH else None
