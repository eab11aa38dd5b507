"""Worker of searches: claim a row, have the process answer it, store the result.

The row is the job (`infra.job_queue`): a killed worker loses nothing, and only the holder of the claim writes. Every
solution is replayed here before it is stored.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from contest import visibility
from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.models import Certificate, Level, Search, SearchAnswer, SearchKind, SearchState
from contest.vetting import certificates, coaching, machine, shown, withholding
from contest.vetting.process import SearchFailed, SearchProcess
from contest.visibility import Viewer
from solvers.sokoban import Moves, replay
from solvers.sokoban.moves import MAX_STEPS

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
# Then the rest waits for the next wake-up, so that other long tasks of the worker get their turn.
WORK_SECONDS = 60.0
_REPORT_SECONDS = 1.0
# Retention of questions and their answers.
QUESTION_LIFETIME = timedelta(days=1)
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


class _ClaimLost(Exception):
    """The search was cancelled, its claim was lost, or this process must stop."""


def stop() -> None:
    """Release the search that this process runs, and claim no more."""
    global _is_stopping  # noqa: PLW0603 - the signal that ends a process reaches all its threads this way
    _is_stopping = True


def has_waiting() -> bool:
    """Return whether a search waits that no worker holds."""
    return QUEUE.has_free()


def work_until_empty(meanwhile: Callable[[], object]) -> bool:
    """Answer queued searches, most urgent first, for some time; return whether any is left.

    A search that has begun is finished, however long it takes; *meanwhile* is called every second during it, for urgent
    work.
    """
    until = time.monotonic() + WORK_SECONDS
    with SearchProcess() as process:
        while not _is_stopping and (search := _claim()):
            _run_search(search, process, meanwhile)
            if time.monotonic() > until:
                return has_waiting()
    return False


def _claim() -> Search | None:
    return QUEUE.claim(in_turn(), state=SearchState.RUNNING)


def in_turn() -> QuerySet[Search]:
    """Return the most urgent searches first; of questions, those of the network that asked for least time today.

    Stored answers of the coach, compared again after an opening, have no network; many at once must not go first.
    """
    # The condition of the partial index is repeated, so that every query plan can use it.
    known = Search.objects.exclude(network="").order_by()
    asked = known.filter(network=OuterRef("network"), pk__lt=OuterRef("pk"))
    seconds = asked.values("network").annotate(all=Sum(F("seconds") + F("compare_seconds"))).values("all")
    before = Case(
        When(network="", then=settings.ASKED_SECONDS),
        default=Coalesce(Subquery(seconds), 0),
        output_field=IntegerField(),
    )
    return Search.objects.order_by("urgency", before, "asked_at", "pk")


def _run_search(search: Search, process: SearchProcess, meanwhile: Callable[[], object]) -> None:
    given = _given_solutions(search)
    if given is None:
        QUEUE.row_of(search).delete()  # a level that is no longer public; it is queued again once it may be
        return
    report = _ProgressReporter(search, meanwhile)
    checked: list[Certificate] = []
    try:
        if search.kind in withholding.PUBLIC_KINDS:
            fields = _answer_question(search, given, process, report)
        else:
            result = _search(search, given, process, report)
            fields = _result_fields(search, result)
            checked = certificates.check_all(search, result.get("certificates", {}), partial(report, None))
    except _ClaimLost:
        QUEUE.give_back(search, state=SearchState.QUEUED)
    except SearchFailed as why:
        log.error("Search %d broke off: %s", search.pk, why)
        QUEUE.close(search, state=SearchState.FAILED, ended_at=clock.now())
    else:
        _close(search, fields, checked)


def _close(search: Search, fields: dict[str, Any], checked: list[Certificate]) -> None:
    with transaction.atomic():
        if not QUEUE.close(search, **fields, state=SearchState.DONE, ended_at=clock.now()):
            return
        certificates.store(checked)
        if search.level_id:  # the level's page has changed
            Level.objects.filter(pk=search.level_id).update(board_version=F("board_version") + 1)


def _search(
    search: Search, given: dict[str, str], process: SearchProcess, report: "_ProgressReporter"
) -> dict[str, Any]:
    """Have *process* search, and return its answer."""
    question = {
        "kind": search.kind,
        "text": search.text,
        "start": search.level.text if search.kind == SearchKind.HINT and search.level else "",
        "act": search.task,
        "aim": search.aim,
        "given": given,
        "seconds": search.seconds,
        "megabytes": search.megabytes,
    }
    return process.answer(question, report)


def _answer_question(
    search: Search, given: dict[str, str], process: SearchProcess, report: "_ProgressReporter"
) -> dict[str, Any]:
    """Return the changed fields of a visitor's question, compared with the levels in play.

    A board that resembles one is not searched, so that nothing depends on what would be found. An answer from before
    the opening of a round is only compared.
    """
    after_each = partial(report, None)
    if search.answer:
        helps = withholding.compare(search, search.found, clock.now(), after_each)
        return {"tried": [*search.tried[:-1], {"helps": helps}]}
    helps = withholding.compare(search, {}, clock.now(), after_each)
    if any(helps.values()):
        return _spend_budget(search, report) | {"tried": [{"helps": helps}]}
    result = _search(search, given, process, report)
    fields = _result_fields(search, result)
    helps = withholding.compare(search, result["found"], clock.now(), after_each)
    if any(helps.values()):
        fields |= _spend_budget(search, report, nodes=result["nodes"], cpu_seconds=result["cpu_seconds"])
    fields["tried"][-1]["helps"] = helps
    return fields


def _spend_budget(
    search: Search, report: "_ProgressReporter", *, nodes: int = 0, cpu_seconds: float = 0.0
) -> dict[str, Any]:
    """Wait until the rest of the search's budget has passed, and return its fields without the answer.

    An earlier end would reveal that a solution was found.
    """
    began = time.monotonic() - cpu_seconds
    fields = withholding.fields_without_answer(search, nodes=nodes, cpu_seconds=cpu_seconds)
    while (spent := time.monotonic() - began) < search.seconds:
        done = int(fields["nodes"] * spent / search.seconds)
        report({"part": "", "nodes": done, "depth": 0, "bound": fields["bound"], "best": None, "cpu_seconds": spent})
        time.sleep(_REPORT_SECONDS / 2)
    return fields


def _given_solutions(search: Search) -> dict[str, str] | None:
    """Return the solutions to start from; None if the search must not be made."""
    if search.kind == SearchKind.STUDY:
        return shown.solutions_to_improve(search.level, clock.now()) if search.level else None
    if search.kind == SearchKind.PROOF and search.collected_id:
        is_public = visibility.collected_levels(Viewer(), clock.now()).filter(pk=search.collected_id).exists()
        return {} if is_public else None
    if search.kind in (SearchKind.MACHINE, SearchKind.PROOF):
        return {} if visibility.studied_levels(clock.now()).filter(searches=search).exists() else None
    return {"any": search.given}


def _result_fields(search: Search, result: dict[str, Any]) -> dict[str, Any]:
    """Return the changed fields of the row; proofs and solutions of earlier attempts are kept (orders.requeue)."""
    found = {metric: _replay(search, solution["lurd"]) for metric, solution in result["found"].items()}
    for metric, solution in search.found.items():
        order = (metric, "pushes" if metric == "moves" else "moves")
        if metric not in found or [solution[name] for name in order] < [found[metric][name] for name in order]:
            found[metric] = solution
    answer = SearchAnswer.SOLVED if found else SearchAnswer(result["answer"])
    if answer == SearchAnswer.UNKNOWN and search.is_unsolvable:
        answer = SearchAnswer.UNSOLVABLE
    spent = {name: result[name] for name in ("answer", "limit", "nodes", "cpu_seconds")}
    tried = {"seconds": search.seconds, "megabytes": search.megabytes, **spent, "at": clock.now().isoformat()}
    fields = {
        "answer": answer,
        "proof": result["proof"] or search.proof,
        "limit": result["limit"] if answer == SearchAnswer.UNKNOWN else "",
        "found": found,
        "stretches": coaching.find_stretches(search, found),
        "loss": result.get("loss", {}),
        "least_pushes": max(result["least_pushes"], search.least_pushes),
        "least_moves": max(result["least_moves"], search.least_moves),
        "band": result.get("band") or search.band,
        "nodes": result["nodes"],
        "cpu_seconds": result["cpu_seconds"],
        "part": "",
        "tried": [*search.tried, tried],
    }
    if search.kind == SearchKind.HINT and found:
        # Only the next push was requested; the full solution is not stored.
        fields["found"] = {"pushes": _first_push(found["pushes"])}
    return fields


def _replay(search: Search, lurd: str) -> dict[str, Any]:
    """Return a solution as the judge replays it. Raise SearchFailed if it solves nothing."""
    played = replay(search.board, Moves.parse(lurd, run_length=False, limit=max(MAX_STEPS, len(lurd))))
    if not played.is_solved:
        raise SearchFailed("a solution that solves nothing")
    return {"lurd": played.lurd, "moves": played.moves, "pushes": played.pushes}


def _first_push(solution: dict[str, Any]) -> dict[str, Any]:
    lurd: str = solution["lurd"]
    end = next(place for place, letter in enumerate(lurd, 1) if letter.isupper())
    return {"lurd": lurd[:end], "moves": end, "pushes": 1}


class _ProgressReporter:
    """Writes the progress of a search once a second, and so extends the lease."""

    def __init__(self, search: Search, meanwhile: Callable[[], object]) -> None:
        self._search = search
        self._meanwhile = meanwhile
        self._next = time.monotonic()
        self._progress: dict[str, Any] = {}

    def __call__(self, progress: dict[str, Any] | None) -> None:
        if _is_stopping:
            raise _ClaimLost
        if progress:  # progress comes more often than once a second; only the latest is written
            self._progress = {name: progress[name] for name in _COUNTED}
        if time.monotonic() < self._next:
            return
        if not QUEUE.prolong(self._search, **self._progress):
            raise _ClaimLost
        self._meanwhile()
        self._next = time.monotonic() + _REPORT_SECONDS


def tidy() -> None:
    """Queue attempts, studies and proofs of public levels, raise alarms, delete old questions, and forget who asked."""
    at = clock.now()
    machine.queue_due(at)
    shown.queue_studies(at)
    certificates.queue_due(at)
    certificates.raise_alarms()
    old = Search.objects.filter(asked_at__lt=at - QUESTION_LIFETIME)
    old.filter(kind__in=withholding.QUESTIONS).delete()
    coaching.tidy(old)
    machine.tidy(old)
