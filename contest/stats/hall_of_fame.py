"""The hall of fame (rule 21.2) and the countries: all final rounds of a track together.

Both are added up once for each state of what they hang on, and a page reads its own part of that.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import overload

from django.db.models import Count, F, Sum
from django.utils.translation import get_language

from contest import visibility
from contest.infra.cache import Long, digest, remember
from contest.models import MAIN, League, Player, Round
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


class Hall(Sequence[Line]):
    """The table; who is on a part of it is asked when the part is."""

    def __init__(self, rows: Long[tuple[int, Sums]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, wanted: int) -> Line: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[Line]: ...
    def __getitem__(self, wanted: int | slice) -> Line | list[Line]:
        if isinstance(wanted, int):
            return self[:][wanted]
        start, stop, step = wanted.indices(len(self))
        part = self._rows.part(start, stop)
        ranks = [rank for rank, _sums in part]
        return list(zip(ranks, totals.of_players([sums for _rank, sums in part]), strict=True))[::step]

    def __iter__(self) -> Iterator[Line]:
        return iter(self[:])


def hall(viewer: Viewer, at: datetime, *, by: str = "points", league: str = League.HUMAN, track: str = MAIN) -> Hall:
    """Every player of a final round, most of *by* first; equal counts share the place, the longer known stand first."""

    def make() -> list[tuple[int, Sums]]:
        known = sorted(
            totals.sums(visibility.placings(viewer, at).filter(league=league, round__track=track)),
            key=lambda sums: (-sums["half_points"], sums["first"], sums["entrant"]),
        )
        return totals.rank(known, lambda sums: -ORDERS[by](sums))

    return Hall(Long(("hall", by, league, track, _version(at)), make))


def countries(viewer: Viewer, at: datetime, *, league: str = League.HUMAN, track: str = MAIN) -> list[Country]:
    """Every country and region that players of final rounds gave."""
    # Who gave which: a sum for each country that no change of one player leaves as it was, and hardly one of several.
    given = Player.objects.exclude(country="").order_by("country").values_list("country")
    told = list(given.annotate(one=Count("pk"), other=Sum("pk"), third=Sum(F("pk") * (F("pk") % 997))))
    key = ("countries", league, track, get_language(), _version(at), told)
    return remember(
        key, lambda: totals.by_country(visibility.placings(viewer, at).filter(league=league, round__track=track))
    )


def _version(at: datetime) -> str:
    """What all sums over final rounds hang on: the rounds, the publishing of each, and who was merged. Two queries."""
    finals = Round.objects.final(at).order_by("pk").values_list("pk", "number", "closes_at", "tabulated_version")
    merged = Player.objects.exclude(merged_into=None).order_by("pk").values_list("pk", "merged_into")
    return digest((list(finals), list(merged)))
