"""Queue levels of collections in a series, via the library.

Imported levels are planned with the choice and queued once all are in the library; public levels at once.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from contest.infra import clock
from contest.library import shelf, standing
from contest.library.standing import QueueingOutcome
from contest.models import CollectedLevel, Intake, IntakeLevel, LibraryLevel, Series
from contest.vetting import orders
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.moves import Moves

State = LibraryLevel.State


def plan(wanted: QuerySet[IntakeLevel], series: Series, slots: Sequence[str]) -> dict[str, Any]:
    """Return the plan to store with a collection: series, slots, and its levels in order, at most MOST_AT_ONCE."""
    keys = wanted.exclude(text="").order_by("place").values_list("pk", flat=True)
    return {"series": series.pk, "slots": list(slots), "levels": list(keys[: shelf.MOST_AT_ONCE])}


@transaction.atomic
def carry_out(intake: Intake) -> None:
    """Queue the planned levels; levels that are not ready are left out, and the collection records how many."""
    intake = Intake.objects.select_for_update().get(pk=intake.pk)
    planned = intake.labels.pop("queue", None)
    series = Series.objects.filter(pk=planned["series"]).first() if planned else None
    if series is None:
        return
    rows = IntakeLevel.objects.filter(pk__in=planned["levels"]).exclude(kept_as=None).order_by("place")
    keys = list(rows.values_list("kept_as", flat=True))
    done = shelf.enqueue_all(keys, series, planned["slots"], by=intake.brought_by)
    intake.labels["queued"] = {
        "series": series.pk,
        "levels": done.count,
        "left_out": done.left_out + len(planned["levels"]) - len(keys),
        "words": standing.in_each_language(lambda: done.report(intake.brought_by, clock.now())),
    }
    intake.save(update_fields=["labels"])


@transaction.atomic
def enqueue_public(
    levels: Sequence[CollectedLevel], series: Series, slots: Sequence[str], *, at: datetime, by: User
) -> QueueingOutcome:
    """Copy levels of public collections to the library and queue them.

    A level already in the library is queued itself. A level without a known solution enters the library as a draft, and
    one that is used in a round does not enter it.
    """
    boards = {level.sha256: level for level in levels[: shelf.MOST_AT_ONCE]}
    stored = LibraryLevel.objects.filter(sha256__in=boards).exclude(state__in=(State.USED, State.RETIRED))
    known = dict(stored.values_list("sha256", "pk"))
    new = [level for sha256, level in boards.items() if sha256 not in known]
    solutions = _solutions([level.sha256 for level in new], by)
    created = LibraryLevel.objects.bulk_create(
        _library_level(level, solutions.get(level.sha256, ""), at, by) for level in new
    )
    orders.queue_vettings(level.board for level in created)
    known |= {level.sha256: level.pk for level in created}
    done = shelf.enqueue_all([known[sha256] for sha256 in boards], series, slots, by=by)
    unused = {used.level.pk for used in done.stand} & {level.pk for level in created}
    LibraryLevel.objects.filter(pk__in=unused).delete()
    return done


def _solutions(boards: Sequence[str], by: User) -> dict[str, str]:
    """Return solutions of boards, by hash: from this organiser's imports or from the solver."""
    imported = IntakeLevel.objects.filter(intake__brought_by=by, sha256__in=boards).exclude(solution="")
    searched = {sha256: search.witness for sha256, search in orders.vettings_by_hash(boards).items()}
    return {
        **dict(imported.values_list("sha256", "solution")),
        **{sha256: solution["lurd"] for sha256, solution in searched.items() if solution},
    }


def _library_level(level: CollectedLevel, solution: str, at: datetime, by: User) -> LibraryLevel:
    """Return a library level, ready if the check has no errors for it."""
    checked = faults(level.board, Moves.parse(solution), title=level.title, author=level.author)
    return LibraryLevel(
        text=level.text,
        solution=solution,
        title=level.title,
        author=level.author,
        sha256=level.sha256,
        key=level.key,
        width=level.width,
        height=level.height,
        boxes=level.boxes,
        state=State.DRAFT if checked.errors else State.READY,
        added_at=at,
        added_by=by,
    )
