"""Names of displayed ratings: seven levels, ours alone (rule 22.2)."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True)
class RatingLevel:
    """Rating level: its number from 1, its least rating, its name."""

    number: int
    least: int
    name: Promise


LEVELS = (
    RatingLevel(1, 0, pgettext_lazy("rating", "Newcomer")),
    RatingLevel(2, 800, pgettext_lazy("rating", "Apprentice")),
    RatingLevel(3, 1100, pgettext_lazy("rating", "Carrier")),
    RatingLevel(4, 1400, pgettext_lazy("rating", "Solver")),
    RatingLevel(5, 1700, pgettext_lazy("rating", "Adept")),
    RatingLevel(6, 2000, pgettext_lazy("rating", "Master")),
    RatingLevel(7, 2300, pgettext_lazy("rating", "Champion")),
)


def level(shown: int) -> RatingLevel:
    """Return the level of a displayed rating; the first one if it is below all.

    >>> level(1099).number, level(1100).number, level(-5).number, level(9000).number
    (2, 3, 1, 7)
    """
    return next((candidate for candidate in reversed(LEVELS) if candidate.least <= shown), LEVELS[0])


def above(shown: int) -> RatingLevel | None:
    """Return the level after that of *shown*; None after the last."""
    number = level(shown).number
    return LEVELS[number] if number < len(LEVELS) else None


def height(shown: int) -> float:
    """Return the position of *shown* within its level, from 0 to 1; the last level has no upper end.

    >>> height(800), height(950), height(2500)
    (0.0, 0.5, 1.0)
    """
    following = above(shown)
    if following is None:
        return 1.0
    here = level(shown)
    return max(0, shown - here.least) / (following.least - here.least)
