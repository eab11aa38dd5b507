"""What the solver is asked about levels: every board that comes in once, more where an organiser wants it.

A level is vetted by its text, wherever it stands: what was found goes with it from a proposal into the library and from
there into a round. What vetting has stored is for organisers; `asking` and `shown` never look at it (rule 7.4).
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

# What a search begins with, each time.
FRESH = {
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


def budget() -> SearchBudget:
    """What a new level may cost, as an organiser has set it."""
    return SearchBudget.objects.order_by("pk").first() or SearchBudget()


@transaction.atomic
def set_budget(seconds: int, megabytes: int, *, by: audit_log.Actor) -> SearchBudget:
    """Let vetting spend so much on each level that comes in from now on."""
    held = budget()
    before = {"seconds": held.seconds, "megabytes": held.megabytes}
    held.seconds, held.megabytes = seconds, megabytes
    held.save()
    audit_log.record(by, "set vetting", held, before=before, after={"seconds": seconds, "megabytes": megabytes})
    return held


def vet(board: sokoban.Level) -> None:
    """Have a board looked at that comes in; nothing happens to one that is known by its text."""
    vet_all([board])


def vet_all(boards: Iterable[sokoban.Level], *, seconds: int | None = None) -> int:
    """Have boards looked at, each once; return how many may be looked at. What no replay can judge is left out."""
    at, allowed = clock.now(), budget()
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
    """What organisers have had looked at."""
    return Search.objects.filter(kind=SearchKind.VETTING)


def of(sha256: str) -> Search | None:
    """What vetting says of a board."""
    return vettings().filter(sha256=sha256).first()


def by_board(shas: Iterable[str]) -> dict[str, Search]:
    """What vetting says of several; one query."""
    return {search.sha256: search for search in vettings().filter(sha256__in=list(shas))}


@transaction.atomic
def again(search: Search, *, seconds: int, megabytes: int, by: audit_log.Actor) -> bool:
    """Look again with another budget; what was found and proved so far stays. False where it waits already."""
    idle = Search.objects.filter(pk=search.pk).exclude(state__in=[SearchState.QUEUED, SearchState.RUNNING])
    if not idle.update(**FRESH, seconds=seconds, megabytes=megabytes, asked_at=clock.now()):
        return False
    audit_log.record(by, "vet again", search, after={"seconds": seconds, "megabytes": megabytes})
    return True


def cancel(searches: QuerySet[Search]) -> int:
    """Stop what waits or runs; a worker that holds one lets go of it within a second."""
    waiting = searches.filter(state__in=[SearchState.QUEUED, SearchState.RUNNING])
    return waiting.update(state=SearchState.CANCELLED, claim_token=None, lease_until=None, ended_at=clock.now())
