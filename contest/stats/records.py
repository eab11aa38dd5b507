"""Levels with records (rule 20.1), and the newest records."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from contest import visibility
from contest.models import Level, Metric
from contest.models.level import by_slot
from contest.rankings.records import Record, of_levels
from contest.visibility import Viewer

LATEST = 24  # number of levels searched for the newest records


@dataclass(frozen=True)
class NewRecord:
    """A record with its level and metric."""

    level: Level
    metric: str
    record: Record

    @property
    def count(self) -> int:
        return self.record.moves if self.metric == Metric.MOVES else self.record.pushes


def newest(viewer: Viewer, at: datetime, *, most: int) -> list[NewRecord]:
    """Return the *most* newest records on the levels of the latest rounds. One query if no board has changed."""
    lines = of_levels(levels(viewer, at).defer("text", "solution")[:LATEST])
    new_records = [
        NewRecord(line.level, metric, record)
        for line in lines
        for metric, record in ((Metric.MOVES, line.by_moves), (Metric.PUSHES, line.by_pushes))
        if record
    ]
    return sorted(new_records, key=lambda new: (new.record.received_at, new.record.number), reverse=True)[:most]


def levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:
    """Return the public levels with rankings, latest round first, main first; void levels have none (rule 2.10)."""
    return visibility.levels(viewer, at).filter(voided_at=None).order_by("-round__number", *by_slot())
