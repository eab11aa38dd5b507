"""The hall of fame (rule 21.2) and the countries: all final rounds together."""

from collections.abc import Callable
from datetime import datetime

from contest import visibility
from contest.models import League
from contest.stats import totals
from contest.stats.totals import Country, Tally
from contest.visibility import Viewer

# What the table can be read by; the list itself has no other formula.
ORDERS: dict[str, Callable[[Tally], int]] = {
    "points": lambda tally: tally.half_points,
    "rounds": lambda tally: tally.rounds,
    "mmc": lambda tally: tally.mmc,
    "mpc": lambda tally: tally.mpc,
    "second": lambda tally: tally.second,
    "lucky": lambda tally: tally.lucky,
}


def hall(viewer: Viewer, at: datetime, *, by: str = "points", league: str = League.HUMAN) -> list[tuple[int, Tally]]:
    """Every player of a final round, most of *by* first; equal counts share the place, the longer known stand first."""
    known = sorted(
        totals.tallies(visibility.placings(viewer, at).filter(league=league)),
        key=lambda tally: (-tally.half_points, tally.first, tally.player.pk),
    )
    return totals.rank(known, lambda tally: -ORDERS[by](tally))


def countries(viewer: Viewer, at: datetime, *, league: str = League.HUMAN) -> list[Country]:
    """Every country and region that players of final rounds gave."""
    return totals.by_country(visibility.placings(viewer, at).filter(league=league))
