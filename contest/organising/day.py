"""Everything that the site did on one day, for the desk."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Max, Q, QuerySet, Sum, Value
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.infra import identity
from contest.models import (
    Comment,
    Door,
    Intake,
    Letter,
    NameReport,
    Outage,
    Player,
    Proposal,
    Question,
    Rejudging,
    Round,
    Search,
    Snapshot,
    Submission,
    Verdict,
    VisitorCount,
)
from contest.stats.visitors import in_words

_QUICK = timedelta(seconds=5)
# What is counted: the rows of a model by a time of theirs.
_COUNTED: tuple[tuple[str | Promise, type[Any], str], ...] = (
    (_("new nicknames"), Player, "created_at"),
    (_("questions asked"), Question, "asked_at"),
    (_("reports about names"), NameReport, "reported_at"),
    (_("comments written"), Comment, "written_at"),
    (_("levels proposed"), Proposal, "sent_at"),
    (_("searches ended"), Search, "ended_at"),
    (_("collections brought in"), Intake, "brought_at"),
    (_("results published"), Snapshot, "made_at"),
    (_("rejudgings applied"), Rejudging, "applied_at"),
    (_("letters sent"), Letter, "sent_at"),
)
_MOMENTS: tuple[tuple[str | Promise, str], ...] = (
    (_("announced"), "announced_at"),
    (pgettext_lazy("round", "opened"), "opens_at"),
    (_("closed"), "closes_at"),
    (_("final"), "finalised_at"),
    (_("cancelled"), "cancelled_at"),
)


@dataclass(frozen=True)
class Received:
    """The submissions of a day: how many by door and by verdict, how many were judged, and how soon."""

    count: int
    by_door: list[tuple[str, int]]
    by_verdict: list[tuple[str, int]]
    judged: int
    quick: int
    longest: timedelta | None


def span(day: date) -> tuple[datetime, datetime]:
    """Return the start and the end of *day* in the site's time zone (rule 3.5)."""
    zone = identity.zone()
    return datetime.combine(day, time(), zone), datetime.combine(day + timedelta(days=1), time(), zone)


def count_rows(begin: datetime, end: datetime) -> list[tuple[str | Promise, int]]:
    """Return how many rows of each kind belong to the span, leaving out zeros. One query."""
    first, *others = [
        model.objects.filter(**{f"{name}__range": (begin, end - datetime.resolution)})
        .order_by()
        .values(counted=Value(number))
        .annotate(rows_=Count("pk"))
        .values_list("counted", "rows_")
        for number, (_words, model, name) in enumerate(_COUNTED)
    ]
    found = dict(first.union(*others, all=True))
    return [(words, found[number]) for number, (words, *_rest) in enumerate(_COUNTED) if found.get(number)]


def count_received(begin: datetime, end: datetime) -> Received:
    """Return the submissions of the span. One query."""
    took = ExpressionWrapper(F("judged_at") - F("received_at"), output_field=DurationField())
    sent = Submission.objects.filter(received_at__gte=begin, received_at__lt=end).order_by().annotate(took=took)
    rows = sent.values("door", "verdict").annotate(
        count=Count("pk"), judged=Count("judged_at"), quick=Count("pk", filter=Q(took__lte=_QUICK)), longest=Max("took")
    )
    doors: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for row in rows:
        doors[row["door"]] += row["count"]
        verdicts[row["verdict"]] += row["count"]
    return Received(
        count=doors.total(),
        by_door=[(str(Door(door).label), count) for door, count in doors.most_common()],
        by_verdict=[(str(Verdict(name).label), count) for name, count in verdicts.most_common() if name],
        judged=sum(row["judged"] for row in rows),
        quick=sum(row["quick"] for row in rows),
        longest=max((row["longest"] for row in rows if row["longest"] is not None), default=None),
    )


def list_moments(
    rounds: QuerySet[Round], begin: datetime, end: datetime
) -> Iterator[tuple[datetime, Round, str | Promise]]:
    """Yield what became of *rounds* in the span, in order of time. One query."""
    within = Q()
    for _words, name in _MOMENTS:
        within |= Q(**{f"{name}__range": (begin, end - datetime.resolution)})
    for round_ in rounds.filter(within).order_by("opens_at"):
        times = [(getattr(round_, name), words) for words, name in _MOMENTS]
        ended = round_.cancelled_at or end
        yield from ((at, round_, words) for at, words in times if at and begin <= at < end and at <= ended)


def count_visitors(day: date) -> str:
    """Return the number of visitors of *day* as shown: none below FEWEST; a dash if it has no count of its own."""
    total: int | None = VisitorCount.objects.filter(day=day).aggregate(total=Sum("visitors"))["total"]
    return "–" if total is None else in_words(total)


def list_outages(begin: datetime, end: datetime) -> QuerySet[Outage]:
    """Return the times within the span in which the site accepted no submissions."""
    return Outage.objects.filter(began_at__lt=end, ended_at__gt=begin)
