"""The coach: where a public or own solution loses moves or pushes, computed once and stored with the solution.

The stored stretches have been replayed. While a level in play is like the board, a worker leaves the answer out (rules
4.9, 20.4): pages of other rounds and of collections must not reveal it. No page promises more than proved bounds allow.
"""

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from contest.models import Metric, Search, SearchKind, SearchState
from contest.rules.ground import ground_of
from contest.vetting import orders, withholding
from contest.vetting.asking import LONGEST_SOLUTION, Asker, admit
from solvers import sokoban
from solvers.sokoban.coaching.stretches import Stretch, advise
from solvers.sokoban.solving.answers import verify

log = logging.getLogger(__name__)

_BROKEN = (SearchState.FAILED, SearchState.CANCELLED)


@dataclass(frozen=True)
class Coached:
    """A solution that its reader may see, as replayed, and the counts that no solution of its level beats."""

    board: sokoban.Level
    lurd: str = field(repr=False)
    least: Mapping[str, int]

    @property
    def key(self) -> str:
        """The id of its search: the same for the same solution of any player."""
        return hashlib.sha256(f"{self.board.sha256}|{self.lurd}".encode()).hexdigest()[:32]


@dataclass(frozen=True)
class CostLine:
    """The loss of a solution by one count: its *stretches*, and the bound for what can be saved at all."""

    metric: Metric
    own: int
    least: int
    stretches: tuple[Stretch, ...]

    @property
    def lost(self) -> int:
        return sum(getattr(stretch, self.metric) for stretch in self.stretches)

    @property
    def lost_by_walking(self) -> int:
        """Return the part of `lost` that only walks lose; the rest is the order and the way of the pushes."""
        return sum(getattr(stretch, self.metric) for stretch in self.stretches if stretch.is_walk)

    @property
    def lost_by_pushing(self) -> int:
        return self.lost - self.lost_by_walking

    @property
    def is_optimal(self) -> bool:
        """Return whether it is proved that no solution has a lower count."""
        return self.own == self.least

    @property
    def is_best_optimal(self) -> bool:
        """Return whether it is proved that nothing more can be saved than the stretches lose."""
        return self.own - self.lost == self.least

    @property
    def most_saved(self) -> int:
        """Return how much could be saved at most, as far as that is proved; 0 if no bound is known."""
        return self.own - self.least if self.least else 0


@dataclass(frozen=True)
class Habit:
    """The moves lost in a player's analysed *solutions*: by *walking* round, and by *pushing* in another way."""

    solutions: int
    walking: int
    pushing: int

    @property
    def lost(self) -> int:
        return self.walking + self.pushing


def is_available(board: sokoban.Level, lurd: str) -> bool:
    """Return whether the coach takes such a solution; levels in play do not matter, as a worker compares them."""
    is_open = settings.ASKED_SECONDS and settings.COACH_SECONDS and 0 < len(lurd) <= LONGEST_SOLUTION
    return bool(is_open) and not board.unjudgeable


def find(coached: Coached, at: datetime) -> Search | None:
    """Return the search of an available solution, with what may be shown of it; None if it was never asked for."""
    search = _rows(coached).first()
    if search and withholding.is_outdated(search, at):
        search.delete()
        return None
    if search:
        withholding.hide(search, at)
    return search


def order(coached: Coached, asker: Asker, at: datetime) -> None:
    """Have a worker look at an available solution, unless one has or will. Raise Refused if a quota is exceeded."""
    with transaction.atomic():
        if _rows(coached).exclude(state__in=_BROKEN).exists():
            return
        # A broken search stays without its id: it counts against the day of its asker, who could otherwise stop and ask
        # again without end.
        _rows(coached).filter(state__in=_BROKEN).update(public_id=None)
        search = _new_search(coached)
        admit(search, asker, at)
        Search.objects.bulk_create([search], ignore_conflicts=True)  # another reader may ask at the same time


def may_stop(search: Search, asker: Asker) -> bool:
    """Return whether *asker* asked for *search*: others who wait for the same solution cannot stop it.

    Only a question under no nickname is known by its network, which neighbours share.
    """
    if search.owner:
        return search.owner == asker.owner
    return bool(asker.network) and search.network == asker.network


def stop(coached: Coached, asker: Asker) -> None:
    """Cancel the search that *asker* asked for."""
    search = _rows(coached).first()
    if search and may_stop(search, asker):
        orders.cancel_searches(_rows(coached))


def tidy(searches: QuerySet[Search]) -> None:
    """Delete the broken ones of the coach's *searches*; of the others, delete which player and network asked."""
    searches = searches.filter(kind=SearchKind.COACH)
    searches.filter(public_id=None).delete()
    searches.exclude(owner="", network="").update(owner="", network="")


def find_stretches(search: Search, found: Mapping[str, Mapping[str, Any]]) -> dict[str, list[list[object]]]:
    """Return where the solution of a coach's *search* loses against those *found*, by metric, as stored in the row."""
    if search.task != "coach":
        return {}
    board, given = search.board, verify(search.board, search.given)
    better = {metric: verify(board, solution["lurd"]) for metric, solution in found.items()}
    return {metric: list(map(_stored, advise(board, given, better[metric], metric).stretches)) for metric in better}


def find_habit(coached: Iterable[Coached], at: datetime) -> Habit:
    """Return what the *coached* solutions of one player lose by moves, so far as they were analysed."""
    solutions = {solution.key: solution for solution in coached}
    searches = Search.objects.filter(kind=SearchKind.COACH, public_id__in=solutions) if solutions else ()
    lines = [
        line
        for search in withholding.shown_as_stored(searches, at)
        for line in cost_lines(solutions[str(search.public_id)], search)
        if line.metric == Metric.MOVES
    ]
    return Habit(len(lines), sum(line.lost_by_walking for line in lines), sum(line.lost_by_pushing for line in lines))


def stretches_of(search: Search, metric: str) -> tuple[Stretch, ...]:
    """Return the stretches stored in *search* for *metric*; some may lose only by the other count."""
    return tuple(Stretch(*fields) for fields in search.stretches.get(metric, []))


def cost_lines(coached: Coached, search: Search) -> list[CostLine]:
    """Return what the solution loses by moves and by pushes, as far as *search* found and the bounds allow.

    Empty while there is no answer, or none that may be shown: a withheld one has no stretches by any count.
    """
    if not search.is_done or not search.stretches:
        return []
    pushes = sum(map(str.isupper, coached.lurd))
    least = {
        Metric.MOVES: max(coached.least.get(Metric.MOVES, 0), search.least_moves),
        Metric.PUSHES: max(coached.least.get(Metric.PUSHES, 0), search.least_pushes),
    }
    own = {Metric.MOVES: len(coached.lurd), Metric.PUSHES: pushes}
    return [
        CostLine(metric, own[metric], least[metric], _believed(_losing(search, metric), own, least))
        for metric in (Metric.MOVES, Metric.PUSHES)
    ]


def _losing(search: Search, metric: Metric) -> list[Stretch]:
    """Return the stretches that lose by *metric* itself: those that lose only by the other are on its own line."""
    return [stretch for stretch in stretches_of(search, metric) if getattr(stretch, metric) > 0]


def _believed(
    stretches: Sequence[Stretch], own: Mapping[Metric, int], least: Mapping[Metric, int]
) -> tuple[Stretch, ...]:
    """Return the stretches, or none if they would save more than is proved possible."""
    for metric in own:
        if own[metric] - sum(getattr(stretch, metric) for stretch in stretches) < least[metric]:
            log.error("The coach and a proved bound of %d %s contradict each other.", least[metric], metric)
            return ()
    return tuple(stretches)


def _new_search(coached: Coached) -> Search:
    board = coached.board
    return Search(
        kind=SearchKind.COACH,
        public_id=coached.key,
        text=board.published_text,
        sha256=board.sha256,
        ground=ground_of(board),
        task="coach",
        aim="any",
        given=coached.lurd,
        seconds=settings.COACH_SECONDS,
    )


def _rows(coached: Coached) -> QuerySet[Search]:
    return Search.objects.filter(kind=SearchKind.COACH, public_id=coached.key)


def _stored(stretch: Stretch) -> list[object]:
    return [
        stretch.start,
        stretch.stop,
        stretch.first_push,
        stretch.last_push,
        stretch.moves,
        stretch.pushes,
        stretch.lurd,
    ]
