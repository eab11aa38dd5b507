"""Public lists as lines, without a request: for the views (`bulk`) and for the nightly dump (`nightly`)."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Min, QuerySet

from contest import visibility
from contest.api.serializers.library import OptimumLineSerializer
from contest.api.serializers.rankings import AcceptedLineSerializer, SolutionLineSerializer, accepted_row
from contest.api.serializers.rounds import LevelLineSerializer
from contest.levels import optima as proved
from contest.models import Round, Submission
from contest.visibility import Viewer

# Rows that one query reads, and letters of their moves: one solution may have a million.
_ROWS_AT_ONCE, _LETTERS_AT_ONCE = 1_000, 4_000_000
# The lists stop at the first pending submission. An older one than this is ignored, or it would stop them for good.
_VERDICT_COMES_WITHIN = timedelta(minutes=10)

Line = dict[str, Any]


@dataclass(frozen=True)
class Rows:
    """Submissions of *rounds* by number, and the function that shows each, *with_moves* or without."""

    rows: QuerySet[Submission]
    rounds: Sequence[Round]
    show: Callable[[Submission], Line]
    with_moves: bool = False

    def lines(self, most: int | None = None) -> Iterator[Line]:
        """Yield the rows in order of number, in short queries: a slow reader holds no cursor open."""
        last, left = 0, most
        while left is None or left > 0:
            at_once = _ROWS_AT_ONCE if left is None else min(left, _ROWS_AT_ONCE)
            found = self._read(last, at_once)
            if not found:
                return
            yield from map(self.show, found)
            left = None if left is None else left - len(found)
            last = found[-1].number

    def _read(self, last: int, most: int) -> list[Submission]:
        """Return the rows after number *last*, at most so many, and fewer of long solutions."""
        rows = self.rows.filter(number__gt=last)
        if not self.with_moves:
            return list(rows[:most])
        chosen: list[int] = []
        letters = 0
        for number, moves in rows.values_list("number", "moves")[:most]:
            letters += moves or 0
            if chosen and letters > _LETTERS_AT_ONCE:
                break
            chosen.append(number)
        return list(rows.filter(number__in=chosen))


def levels(viewer: Viewer, at: datetime) -> Iterator[Line]:
    """Return every level that *viewer* may see, the oldest round first."""
    found = visibility.levels(viewer, at)
    return map(
        LevelLineSerializer().to_representation, sorted(found, key=lambda level: (level.round.number, level.slot_order))
    )


def optima(_viewer: Viewer, at: datetime) -> Iterator[Line]:
    """Return every proved optimum that is public, with its certificate."""
    return (OptimumLineSerializer().to_representation(proved.as_document(row)) for row in proved.find(at))


def submissions(viewer: Viewer, at: datetime, since: int = 0) -> Rows:
    """Return the public facts of accepted submissions (rules 7.1, 7.4)."""

    write = AcceptedLineSerializer().to_representation

    def show(row: Submission) -> Line:
        return write(accepted_row(row, with_hash=visibility.may_see_hashes(row.round, at)))

    rows = visibility.accepted_submissions(viewer, at)
    return Rows(_rows_after(rows, since, at), list(visibility.opened_rounds(viewer, at)), show)


def solutions(viewer: Viewer, at: datetime, since: int = 0) -> Rows:
    """Return the same with the moves, for the rounds with public moves (rules 7.3, 15.4)."""
    rounds = [round_ for round_ in visibility.opened_rounds(viewer, at) if visibility.are_solutions_public(round_, at)]
    rows = visibility.accepted_submissions(viewer, at).filter(round__in=rounds, is_unpublished=False)
    rows_with_moves = _rows_after(rows.defer(None).defer("text", "turned"), since, at)
    write = SolutionLineSerializer().to_representation
    return Rows(rows_with_moves, rounds, lambda row: write(accepted_row(row, with_hash=True)), with_moves=True)


def render_line(line: Line) -> str:
    """Return *line* as JSON with a newline."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _rows_after(rows: QuerySet[Submission], since: int, at: datetime) -> QuerySet[Submission]:
    return rows.filter(number__gt=since, number__lt=_first_waiting(at)).order_by("number")


def _first_waiting(at: datetime) -> int:
    """Return the number of the first submission without a verdict; lists stop before it, so clients miss none."""
    waiting = Submission.objects.waiting().filter(received_at__gt=at - _VERDICT_COMES_WITHIN)
    first: int | None = waiting.order_by().aggregate(first=Min("number"))["first"]
    return 10**18 if first is None else first
