"""Prometheus metrics of the site (docs/how-to/operations.md).

Web servers and workers are many processes on many machines, and a worker has no port to be scraped at. So each
process counts in its memory and every some seconds adds its counts to one hash in Redis, never during a request. The
length of the queue is read from the database at each scrape. Prometheus' own multi-process files would cover only one
machine. Emptying Redis resets the counters to zero, which Prometheus expects.
"""

import logging
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from threading import Lock

import redis
from django.conf import settings
from django.db import Error
from django.db.models import Count
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from contest.infra import clock
from contest.infra.redis.scripts import Script
from contest.models import Intake, Letter, Outage, Series, State, Submission
from contest.models.submission import OPEN_STATES
from contest.ops import health

log = logging.getLogger(__name__)

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_KEY = "metrics"
_SEPARATOR = "|"
_ADD_UP = """
for place = 1, #ARGV, 2 do
  redis.call("HINCRBY", KEYS[1], ARGV[place], ARGV[place + 1])
end
"""
_counted: Counter[str] = Counter()
_lock = Lock()


def count_submission(door: str) -> None:
    _add({f"submissions{_SEPARATOR}{door}": 1})


def count_refusal(door: str, code: str) -> None:
    _add({f"refusals{_SEPARATOR}{door}{_SEPARATOR}{code}": 1})


def count_failed_task(name: str) -> None:
    """Count a worker's task, or one of its periodic rounds, that ended in an error."""
    _add({f"tasks{_SEPARATOR}{name}": 1})


def count_verdicts(judged: Iterable[tuple[str, float]]) -> None:
    """Count verdicts, and the seconds from each submission to its verdict."""
    added: Counter[str] = Counter()
    for verdict, seconds in judged:
        added[f"verdicts{_SEPARATOR}{verdict}"] += 1
        added[f"judge_bucket{_SEPARATOR}{bisect_left(BUCKETS, seconds)}"] += 1
        added["judge_milliseconds"] += max(0, round(seconds * 1000))
    _add(added)


def _add(amounts: dict[str, int]) -> None:
    with _lock:
        _counted.update(amounts)


def flush() -> None:
    """Add this process's counts to the shared ones. Without Redis they are kept for the next call."""
    with _lock:
        amounts = dict(_counted)
        _counted.clear()
    if not amounts:
        return
    try:
        Script(settings.LIMITS_URL, _ADD_UP)([_KEY], [argument for item in amounts.items() for argument in item])
    except (redis.RedisError, OSError) as error:
        _add(amounts)
        log.warning("Counts kept for later (%s)", error.__class__.__name__)


def render_page() -> bytes:
    """Return all metrics in Prometheus' text format."""
    flush()
    registry = CollectorRegistry()
    registry.register(_Site())
    return generate_latest(registry)


class _Site(Collector):
    def collect(self) -> Iterator[Metric]:
        yield from _from_database()
        yield from _from_redis()

    def describe(self) -> list[Metric]:
        return []  # otherwise registering would query the database


def _from_database() -> Iterator[Metric]:
    up = GaugeMetricFamily("leitai_database_up", "Whether the database answers.")
    try:
        families = list(_queue_metrics())
    except Error:
        families = []
    up.add_metric([], float(bool(families)))
    yield up
    yield from families


def _queue_metrics() -> Iterator[Metric]:
    depth = dict(Submission.objects.waiting().order_by().values_list("state").annotate(Count("pk")))
    waiting = GaugeMetricFamily("leitai_waiting", "Submissions without a verdict.", labels=["state"])
    for state in OPEN_STATES:
        waiting.add_metric([state], depth.get(state, 0))
    yield waiting
    held = Submission.objects.filter(state=State.QUARANTINED).count()
    yield _gauge("leitai_held", "Submissions held for staff.", held)
    oldest = health.oldest_waiting_seconds()
    yield _gauge("leitai_oldest_waiting_seconds", "Age of the oldest submission without a verdict.", oldest or 0)
    yield _gauge("leitai_outages", "Outages on record (rule 3.10).", Outage.objects.count())
    for name, documentation, seconds in (
        ("leitai_canary_age_seconds", "Since a worker last judged a known solution.", health.canary_seconds()),
        ("leitai_backup_age_seconds", "Since the last backup.", health.backup_seconds()),
    ):
        if seconds is not None:
            yield _gauge(name, documentation, seconds)
    free = health.disk().figures["free_bytes"]
    yield _gauge("leitai_disk_free_bytes", "Room where this process keeps its data.", free or 0)
    yield from _series_metrics()
    yield from _letter_metrics()
    yield from _intake_metrics()


def _letter_metrics() -> Iterator[Metric]:
    """Yield metrics of letters claimed within a day and of all due ones: older letters need no attention."""
    at = clock.now_at_database()
    due = Letter.objects.due(at)
    yield _gauge("leitai_letters_due", "Letters that should leave now.", due.count())
    first = due.order_by("next_try_at").values_list("next_try_at", flat=True).first()
    yield _gauge("leitai_letters_oldest_due_seconds", "Since the oldest of them fell due.", _seconds_since(at, first))
    recent = Letter.objects.filter(claimed_at__gt=at - timedelta(days=1))
    counts = dict(recent.order_by().values_list("state").annotate(Count("pk")))
    attempted = GaugeMetricFamily("leitai_letters_lately", "Letters taken up within a day.", labels=["state"])
    for state in (Letter.State.SENT, Letter.State.FAILED, Letter.State.DOUBTFUL):
        attempted.add_metric([state], counts.get(state, 0))
    yield attempted


def _intake_metrics() -> Iterator[Metric]:
    """Yield metrics of collection imports: unfinished ones by state, and the age of the oldest."""
    at = clock.now_at_database()
    unfinished = Intake.objects.filter(state__in=(Intake.State.READING, Intake.State.KEEPING))
    counts = dict(unfinished.order_by().values_list("state").annotate(Count("pk")))
    gauge = GaugeMetricFamily("leitai_intakes", "Collections under way into the library.", labels=["state"])
    for state in (Intake.State.READING, Intake.State.KEEPING):
        gauge.add_metric([state], counts.get(state, 0))
    yield gauge
    first = unfinished.order_by("brought_at").values_list("brought_at", flat=True).first()
    yield _gauge("leitai_intakes_oldest_seconds", "Since the oldest of them was brought.", _seconds_since(at, first))


def _seconds_since(at: datetime, since: datetime | None) -> float:
    return 0.0 if since is None else max(0.0, (at - since).total_seconds())


def _series_metrics() -> Iterator[Metric]:
    ages = GaugeMetricFamily("leitai_series_age_seconds", "Since a running series was looked at.", labels=["series"])
    faults = GaugeMetricFamily("leitai_series_fault", "Whether a running series stands still.", labels=["series"])
    now = clock.now_at_database()
    for series in Series.objects.filter(is_running=True).order_by("pk"):
        faults.add_metric([str(series.pk)], float(bool(series.fault)))
        if series.advanced_at:
            ages.add_metric([str(series.pk)], max(0.0, (now - series.advanced_at).total_seconds()))
    yield ages
    yield faults


def _from_redis() -> Iterator[Metric]:
    try:
        with _redis() as counters:
            counts = {name.decode(): int(amount) for name, amount in counters.hgetall(_KEY).items()}
    except redis.RedisError:
        yield _gauge("leitai_redis_up", "Whether Redis answers.", 0)
        return
    yield _gauge("leitai_redis_up", "Whether Redis answers.", 1)
    submissions = CounterMetricFamily("leitai_submissions", "Submissions stored.", labels=["door"])
    refusals = CounterMetricFamily("leitai_refusals", "Submissions refused.", labels=["door", "code"])
    verdicts = CounterMetricFamily("leitai_verdicts", "Verdicts written.", labels=["verdict"])
    tasks = CounterMetricFamily("leitai_failed_tasks", "Tasks that ended in an error.", labels=["task"])
    families = {"submissions": submissions, "refusals": refusals, "verdicts": verdicts, "tasks": tasks}
    for name, amount in sorted(counts.items()):
        kind, *labels = name.split(_SEPARATOR)
        if kind in families:
            families[kind].add_metric(labels, amount)
    yield from families.values()
    yield _judging_metric(counts)


def _judging_metric(counts: dict[str, int]) -> Metric:
    family = HistogramMetricFamily("leitai_judge_seconds", "From receiving a submission to its verdict.")
    buckets, below = [], 0
    for index, bound in enumerate([*BUCKETS, float("inf")]):
        below += counts.get(f"judge_bucket{_SEPARATOR}{index}", 0)
        buckets.append(("+Inf" if bound == float("inf") else str(bound), float(below)))
    family.add_metric([], buckets, counts.get("judge_milliseconds", 0) / 1000)
    return family


def _gauge(name: str, documentation: str, value: float) -> Metric:
    return GaugeMetricFamily(name, documentation, value=value)


def _redis() -> "redis.Redis":
    return redis.Redis.from_url(settings.LIMITS_URL, **settings.REDIS_PATIENCE)
