"""Searches for organisers: every new board once, more at an organiser's request.

Results belong to the level's text, so they follow it from a proposal into the library and from
there into a round. Vetting results are for organisers; `asking` and `shown` never read them (rule 7.4).
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from contest.infra import clock
from contest.models import URGENCY, Search, SearchBudget, SearchKind, SearchState
from contest.staff import audit_log
from solvers import sokoban

MOST_SECONDS = 7_200
MOST_MEGABYTES = 4_096

# State of a search that is queued or queued again.
QUEUED_FIELDS = {
    "state": SearchState.QUEUED,
    "claim_token": None,
    "lease_until": None,
    "attempts": 0,
    "ended_at": None,
    "part": "",
    "nodes": 0,
    "depth": 0,
    "bound": 0,
    "best": None,
    "cpu_seconds": 0.0,
}


def get_budget() -> SearchBudget:
    """Return the budget for a new level, as set by an organiser."""
    return SearchBudget.objects.order_by("pk").first() or SearchBudget()


@transaction.atomic
def set_budget(seconds: int, megabytes: int, *, by: audit_log.Actor) -> SearchBudget:
    """Set the budget of vetting for levels added from now on."""
    budget = get_budget()
    before = {"seconds": budget.seconds, "megabytes": budget.megabytes}
    budget.seconds, budget.megabytes = seconds, megabytes
    budget.save()
    audit_log.record(by, "set vetting", budget, before=before, after={"seconds": seconds, "megabytes": megabytes})
    return budget


def queue_vetting(board: sokoban.Level) -> None:
    """Queue a new board for vetting; do nothing if its text is known."""
    queue_vettings([board])


def queue_vettings(boards: Iterable[sokoban.Level], *, seconds: int | None = None) -> int:
    """Queue boards for vetting, each once; return how many can be vetted. Unjudgeable boards are skipped."""
    at, allowed = clock.now(), get_budget()
    judgeable = {board.sha256: board for board in boards if not board.unjudgeable}
    Search.objects.bulk_create(
        [
            Search(
                kind=SearchKind.VETTING,
                urgency=URGENCY[SearchKind.VETTING],
                text=board.published_text,
                sha256=sha256,
                seconds=seconds or allowed.seconds,
                megabytes=allowed.megabytes,
                asked_at=at,
            )
            for sha256, board in judgeable.items()
        ],
        ignore_conflicts=True,
    )
    return len(judgeable)


def vettings() -> QuerySet[Search]:
    """Return all vetting searches."""
    return Search.objects.filter(kind=SearchKind.VETTING)


def find_vetting(sha256: str) -> Search | None:
    """Return the vetting search of a board, if any."""
    return vettings().filter(sha256=sha256).first()


def vettings_by_hash(shas: Iterable[str]) -> dict[str, Search]:
    """Return the vetting searches of several boards by hash; one query."""
    return {search.sha256: search for search in vettings().filter(sha256__in=list(shas))}


@transaction.atomic
def requeue(search: Search, *, seconds: int, megabytes: int, by: audit_log.Actor) -> bool:
    """Search again with another budget; earlier results are kept. Return False if the search is queued already."""
    idle = Search.objects.filter(pk=search.pk).exclude(state__in=[SearchState.QUEUED, SearchState.RUNNING])
    if not idle.update(**QUEUED_FIELDS, seconds=seconds, megabytes=megabytes, asked_at=clock.now()):
        return False
    audit_log.record(by, "vet again", search, after={"seconds": seconds, "megabytes": megabytes})
    return True


def cancel_searches(searches: QuerySet[Search]) -> int:
    """Cancel queued and running searches; a worker releases a running one within a second."""
    waiting = searches.filter(state__in=[SearchState.QUEUED, SearchState.RUNNING])
    return waiting.update(state=SearchState.CANCELLED, claim_token=None, lease_until=None, ended_at=clock.now())
