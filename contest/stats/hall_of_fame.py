"""The hall of fame (rule 21.2) and the countries: all final rounds of a track together.

Both are added up once for each state of what they hang on, and a page reads its own part of that.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Sum
from django.utils.translation import get_language

from contest import visibility
from contest.infra.cache import Long, Table, cached_parts
from contest.models import MAIN, League, Player
from contest.stats import totals
from contest.stats.totals import Country, Sums, Tally
from contest.visibility import Viewer

Line = tuple[int, Tally]

# What the table can be read by; the list itself has no other formula.
ORDERS: dict[str, Callable[[Sums], int]] = {
    "points": lambda sums: sums["half_points"],
    "rounds": lambda sums: sums["rounds"],
    "mmc": lambda sums: sums["mmc"],
    "mpc": lambda sums: sums["mpc"],
    "second": lambda sums: sums["second"],
    "lucky": lambda sums: sums["lucky"],
}


def hall(
    viewer: Viewer, at: datetime, *, by: str = "points", league: str = League.HUMAN, track: str = MAIN
) -> Table[Any, Line]:
    """Every player of a final round, most of *by* first; equal counts share the place, the longer known stand first."""

    def make() -> list[tuple[int, Sums]]:
        known = sorted(
            totals.sums(visibility.placings(viewer, at).filter(league=league, round__track=track)),
            key=lambda sums: (-sums["half_points"], sums["first"], sums["entrant"]),
        )
        return totals.rank(known, lambda sums: -ORDERS[by](sums))

    return Table(Long(("hall", by, league, track, totals.version(at)), make), totals.of_ranked)


def countries(viewer: Viewer, at: datetime, *, league: str = League.HUMAN, track: str = MAIN) -> list[Country]:
    """Every country and region that players of final rounds gave."""
    # Who gave which: a sum for each country that no change of one player leaves as it was, and hardly one of several.
    given = Player.objects.exclude(country="").order_by("country").values_list("country")
    told = list(given.annotate(one=Count("pk"), other=Sum("pk"), third=Sum(F("pk") * (F("pk") % 997))))
    key = ("countries", league, track, get_language(), totals.version(at), told)
    placings = visibility.placings(viewer, at).filter(league=league, round__track=track)
    return cached_parts({"all": key}, lambda _missing: {"all": totals.by_country(placings)})["all"]
