"""The worker's side: claim a search, have the process answer it, write what came of it.

The row is the queue (`infra.job_queue`): a killed worker loses nothing, and only who holds the claim writes. Every
solution is replayed here before it is stored.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import F, Q

from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.models import Level, Search, SearchAnswer, SearchKind, SearchState
from contest.vetting import shown, withholding
from contest.vetting.process import BrokeOff, Searching
from solvers.sokoban import Moves, replay
from solvers.sokoban.moves import MAX_STEPS

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
# Then the rest is left to the next wake-up, so that what else a worker of long work does gets its turn.
WORK_SECONDS = 60.0
_TELL_SECONDS = 1.0
# What somebody asked is kept so long.
KEPT = timedelta(days=1)
_COUNTED = ("part", "nodes", "depth", "bound", "best", "cpu_seconds")
_is_stopping = False

QUEUE = Queue(
    Search,
    open=Q(state__in=[SearchState.QUEUED, SearchState.RUNNING]),
    lease=LEASE,
    most_attempts=MAX_ATTEMPTS,
    given_up={"state": SearchState.FAILED},
    given_up_at="ended_at",
)


class _NotOurs(Exception):
    """Somebody stopped the search or has it by now, or this process has to end."""


def stop() -> None:
    """Give back the search that this process runs, and claim no more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


def waiting() -> bool:
    """Whether a search waits that no worker holds."""
    return QUEUE.has_free()


def work_until_empty(meanwhile: Callable[[], object]) -> bool:
    """Answer what waits, most urgent first, for some time; return whether something is left.

    A search that has begun is carried to its end, however long; *meanwhile* is called every second of it, for what
    cannot wait for a search.
    """
    until = time.monotonic() + WORK_SECONDS
    with Searching() as searching:
        while not _is_stopping and (search := _claim()):
            _run(search, searching, meanwhile)
            if time.monotonic() > until:
                return waiting()
    return False


def _claim() -> Search | None:
    """Take hold of the most urgent search."""
    return QUEUE.claim(Search.objects.order_by("urgency", "asked_at", "pk"), state=SearchState.RUNNING)


def _run(search: Search, searching: Searching, meanwhile: Callable[[], object]) -> None:
    given = _given_solutions(search)
    if given is None:
        QUEUE.row_of(search).delete()  # a study that nobody may see by now; it is ordered again when somebody may
        return
    question = {
        "kind": search.kind,
        "text": search.text,
        "act": search.task,
        "aim": search.aim,
        "given": given,
        "seconds": search.seconds,
        "megabytes": search.megabytes,
    }
    tell = _Teller(search, meanwhile)
    try:
        said = searching.answer(question, tell)
        fields = _fields(search, said)
        if search.kind in withholding.PUBLIC_KINDS and withholding.must_withhold(search, said["found"], clock.now()):
            fields |= _spend_the_rest(search, said, tell)
    except _NotOurs:
        QUEUE.give_back(search, state=SearchState.QUEUED)
    except BrokeOff as why:
        log.error("Search %d broke off: %s", search.pk, why)
        QUEUE.close(search, state=SearchState.FAILED, ended_at=clock.now())
    else:
        if QUEUE.close(search, **fields, state=SearchState.DONE, ended_at=clock.now()) and search.level_id:
            # What the level's page shows has changed.
            Level.objects.filter(pk=search.level_id).update(board_version=F("board_version") + 1)


def _spend_the_rest(search: Search, said: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Hold the search for what is left of its budget, and return its fields without the answer.

    An earlier end would tell that a solution was found.
    """
    began, spent = time.monotonic() - said["cpu_seconds"], said["cpu_seconds"]
    without = withholding.fields_without_answer(search, nodes=said["nodes"], cpu_seconds=spent)
    while (spent := time.monotonic() - began) < search.seconds:
        nodes = int(without["nodes"] * spent / search.seconds)
        tell({"part": "", "nodes": nodes, "depth": 0, "bound": without["bound"], "best": None, "cpu_seconds": spent})
        time.sleep(_TELL_SECONDS / 2)
    return without


def _given_solutions(search: Search) -> dict[str, str] | None:
    """The solutions to begin with; None where the search must not be made."""
    if search.kind == SearchKind.STUDY:
        return shown.solutions_to_better(search.level, clock.now()) if search.level else None
    return {"any": search.given}


def _fields(search: Search, said: dict[str, Any]) -> dict[str, Any]:
    """What the answer changes of the row: what was proved and found in earlier tries stays (orders.again)."""
    found = {metric: _replay(search, one["lurd"]) for metric, one in said["found"].items()}
    for metric, one in search.found.items():
        order = (metric, "pushes" if metric == "moves" else "moves")
        if metric not in found or [one[name] for name in order] < [found[metric][name] for name in order]:
            found[metric] = one
    answer = SearchAnswer.SOLVED if found else SearchAnswer(said["answer"])
    if answer == SearchAnswer.UNKNOWN and search.is_unsolvable:
        answer = SearchAnswer.UNSOLVABLE
    spent = {name: said[name] for name in ("answer", "limit", "nodes", "cpu_seconds")}
    tried = {"seconds": search.seconds, "megabytes": search.megabytes, **spent, "at": clock.now().isoformat()}
    fields = {
        "answer": answer,
        "proof": said["proof"] or search.proof,
        "limit": said["limit"] if answer == SearchAnswer.UNKNOWN else "",
        "found": found,
        "least_pushes": max(said["least_pushes"], search.least_pushes),
        "least_moves": max(said["least_moves"], search.least_moves),
        "band": said.get("band") or search.band,
        "nodes": said["nodes"],
        "cpu_seconds": said["cpu_seconds"],
        "part": "",
        "tried": [*search.tried, tried],
    }
    if search.kind == SearchKind.HINT and found:
        # The whole way is not what was asked for, and is kept nowhere.
        fields["found"] = {"pushes": _first_push(found["pushes"])}
    return fields


def _replay(search: Search, lurd: str) -> dict[str, Any]:
    """A solution as the judge replays it. Raise BrokeOff for what solves nothing."""
    played = replay(search.board, Moves.parse(lurd, run_length=False, limit=max(MAX_STEPS, len(lurd))))
    if not played.is_solved:
        raise BrokeOff("a solution that solves nothing")
    return {"lurd": played.lurd, "moves": played.moves, "pushes": played.pushes}


def _first_push(one: dict[str, Any]) -> dict[str, Any]:
    lurd: str = one["lurd"]
    end = next(place for place, letter in enumerate(lurd, 1) if letter.isupper())
    return {"lurd": lurd[:end], "moves": end, "pushes": 1}


class _Teller:
    """Writes down how far a search is, once a second, and so keeps the lease."""

    def __init__(self, search: Search, meanwhile: Callable[[], object]) -> None:
        self._search = search
        self._meanwhile = meanwhile
        self._next = time.monotonic()
        self._told: dict[str, Any] = {}

    def __call__(self, progress: dict[str, Any] | None) -> None:
        if _is_stopping:
            raise _NotOurs
        if progress:  # most come between two seconds, and the last of them is the one to write
            self._told = {name: progress[name] for name in _COUNTED}
        if time.monotonic() < self._next:
            return
        if not QUEUE.prolong(self._search, **self._told):
            raise _NotOurs
        self._meanwhile()
        self._next = time.monotonic() + _TELL_SECONDS


def tidy() -> None:
    """Order what is to be studied after the reveal, and forget what somebody asked long ago."""
    at = clock.now()
    shown.order_studies(at)
    Search.objects.filter(kind__in=withholding.PUBLIC_KINDS, asked_at__lt=at - KEPT).delete()
