"""Hall of fame (rule 21.2) and countries: sums over all final rounds of a track.

Both are cached for each version of the data. A page of the hall reads only its own rows.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Sum
from django.utils.translation import get_language

from contest import visibility
from contest.infra.cache import CachedList, CachedTable, cached_parts
from contest.models import MAIN, League, Player
from contest.stats import totals
from contest.stats.totals import Country, Sums, Tally
from contest.visibility import Viewer

Line = tuple[int, Tally]

# Columns to sort the table by; the hall of fame has no other formula.
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
) -> CachedTable[Any, Line]:
    """Return every player of a final round, highest *by* first; ties share the place, older players come first."""

    def make() -> list[tuple[int, Sums]]:
        known = sorted(
            totals.sums(visibility.placings(viewer, at).filter(league=league, round__track=track)),
            key=lambda sums: (-sums["half_points"], sums["first"], sums["entrant"]),
        )
        return totals.rank(known, lambda sums: -ORDERS[by](sums))

    return CachedTable(CachedList(("hall", by, league, track, totals.version(at)), make), totals.of_ranked)


def countries(viewer: Viewer, at: datetime, *, league: str = League.HUMAN, track: str = MAIN) -> list[Country]:
    """Return every country and region given by players of final rounds."""
    # Checksum of who gave which country: any change of one player alters it, and almost any change of several.
    given = Player.objects.exclude(country="").order_by("country").values_list("country")
    checksums = list(given.annotate(one=Count("pk"), other=Sum("pk"), third=Sum(F("pk") * (F("pk") % 997))))
    key = ("countries", league, track, get_language(), totals.version(at), checksums)
    placings = visibility.placings(viewer, at).filter(league=league, round__track=track)
    return cached_parts({"all": key}, lambda _missing: {"all": totals.by_country(placings)})["all"]
