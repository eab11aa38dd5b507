"""Solver searches for the levels of a collection, and the solutions that they found."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from django.db import transaction
from django.db.models import Count, QuerySet

from contest.library.collection_import import PIECE, standing_of
from contest.models import Intake, IntakeLevel, Search, SearchAnswer, SearchState
from contest.staff import audit_log
from contest.vetting import orders
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.moves import Moves
from solvers.sokoban.problems import Fault

Standing = IntakeLevel.Standing


def find_solutions(intake: Intake, *, seconds: int, by: audit_log.Actor) -> int:
    """Queue a solver search for every level of a collection without a solution; return how many."""
    unsolved = IntakeLevel.objects.filter(intake=intake, standing=Standing.UNSOLVED)
    count = sum(
        orders.queue_vettings((level.board for level in piece), seconds=seconds)
        for piece in _in_pieces(unsolved.only("text"))
    )
    if count:
        audit_log.record(by, "find solutions", intake, after={"levels": count, "seconds": seconds})
    return count


def searches_of(intake: Intake) -> QuerySet[Search]:
    """Return the solver searches for a collection."""
    unsolved = IntakeLevel.objects.filter(intake=intake, standing=Standing.UNSOLVED).order_by().values("sha256")
    return orders.vettings().filter(sha256__in=unsolved)


def search_counts(intake: Intake) -> Counter[str]:
    """Count the unsolved levels that wait for the solver, and the answers for the others. One query."""
    counted = searches_of(intake).order_by().values_list("state", "answer").annotate(count=Count("pk"))
    counts: Counter[str] = Counter()
    for state, answer, count in counted:
        is_waiting = state in (SearchState.QUEUED, SearchState.RUNNING)
        counts["waiting" if is_waiting else str(answer)] += count
    return counts


@transaction.atomic
def take_solutions(intake: Intake) -> int:
    """Store solutions found so far on the levels of a collection; return how many levels got one."""
    solutions = dict(searches_of(intake).filter(answer=SearchAnswer.SOLVED).values_list("sha256", "found"))
    if not solutions:
        return 0
    rows = list(IntakeLevel.objects.filter(intake=intake, standing=Standing.UNSOLVED, sha256__in=solutions))
    for row in rows:
        row.solution = solutions[row.sha256]["pushes"]["lurd"]
        checked = faults(row.board, Moves.parse(row.solution), title=row.title, author=row.author)
        row.standing = standing_of(checked)
        row.problems = [problem for problem in row.problems if problem[0] != Fault.NO_SOLUTION]
    IntakeLevel.objects.bulk_update(rows, ["solution", "standing", "problems"])
    return len(rows)


def _in_pieces(rows: QuerySet[IntakeLevel]) -> Iterator[list[IntakeLevel]]:
    left = rows.order_by("pk").iterator(chunk_size=PIECE)
    return iter(lambda: list(islice(left, PIECE)), [])
