"""Solver jobs: a row holds the job, its progress and finally the answer (docs/explanation/vetting.md)."""

from functools import cached_property
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q, Value
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.infra.job_queue import Job
from contest.models.level import Level
from contest.models.library.collection import CollectedLevel
from contest.models.result import Metric
from solvers import sokoban


class SearchKind(models.TextChoices):
    """The origin of a search. Answers of one kind are never used for another (rule 7.4)."""

    VETTING = "vetting", _("vetting")  # for organisers: a level that waits
    STUDY = "study", _("after the reveal")
    ASKED = "asked", _("asked by somebody")
    HINT = "hint", _("hint")
    COACH = "coach", _("coach")  # where a solution loses moves or pushes: kept, once for each solution
    MACHINE = "machine", _("challenge the machine")  # a public attempt at a revealed level: kept, a row for each
    PROOF = "proof", pgettext_lazy("search", "certificate")  # of a public optimum that has none: kept, one a level


# Searches that a person waits for come first.
URGENCY = {
    SearchKind.HINT: 0,
    SearchKind.ASKED: 1,
    SearchKind.COACH: 1,
    SearchKind.VETTING: 2,
    SearchKind.MACHINE: 2,
    SearchKind.STUDY: 3,
    SearchKind.PROOF: 4,
}


class SearchState(models.TextChoices):
    QUEUED = "queued", pgettext_lazy("search", "waiting")
    RUNNING = "running", pgettext_lazy("search", "running")
    DONE = "done", pgettext_lazy("search", "done")
    CANCELLED = "cancelled", pgettext_lazy("search", "stopped")
    FAILED = "failed", pgettext_lazy("search", "broke off")


class SearchAnswer(models.TextChoices):
    SOLVED = "solved", pgettext_lazy("search", "solvable")
    UNSOLVABLE = "unsolvable", pgettext_lazy("search", "proved unsolvable")
    UNKNOWN = "unknown", pgettext_lazy("search", "not known")


class SearchQuerySet(models.QuerySet["Search"]):
    def waiting(self) -> Self:
        return self.filter(state__in=[SearchState.QUEUED, SearchState.RUNNING])


class Search(Job):
    """One search by the solver."""

    kind = models.CharField(max_length=8, choices=SearchKind)
    urgency = models.PositiveSmallIntegerField(default=2)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    # Digest of the board without boxes, equal under rotation and reflection: positions of one level share it.
    ground = models.CharField(max_length=64, blank=True, db_index=True)
    level = models.ForeignKey(Level, models.CASCADE, null=True, related_name="searches")
    collected = models.ForeignKey(CollectedLevel, models.CASCADE, null=True, related_name="searches")
    # A visitor's question: solve, prove, optimize or coach; aim; their solution; undisclosed owner and network; id in
    # its URL. The id of kind COACH is a digest of level and solution, so that each solution has one search. The task of
    # kind MACHINE is event or again (`contest.vetting.machine`).
    task = models.CharField(max_length=8, blank=True)
    aim = models.CharField(max_length=6, blank=True)
    given = models.TextField(blank=True)
    owner = models.CharField(max_length=64, blank=True)
    network = models.CharField(max_length=64, blank=True)
    public_id = models.CharField(max_length=32, null=True, unique=True)  # noqa: DJ001 - null is "none", not ""
    seconds = models.PositiveIntegerField(_("CPU seconds"))
    # What it costs to compare a large board of a visitor with the levels in play; counts against their quotas.
    compare_seconds = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    megabytes = models.PositiveIntegerField(_("megabytes"))

    state = models.CharField(max_length=9, choices=SearchState, default=SearchState.QUEUED)
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    # Progress while it runs, and afterwards its final extent.
    part = models.CharField(max_length=20, blank=True)
    nodes = models.PositiveBigIntegerField(default=0)
    depth = models.PositiveIntegerField(default=0)
    bound = models.PositiveIntegerField(default=0)
    best = models.PositiveIntegerField(null=True)
    cpu_seconds = models.FloatField(default=0.0)

    answer = models.CharField(max_length=10, choices=SearchAnswer, blank=True)
    limit = models.CharField(max_length=12, blank=True)
    proof = models.CharField(max_length=16, blank=True)
    # Solutions by the count they minimise: {"pushes": {"lurd", "moves", "pushes"}, "moves": {…}}.
    found: Any = models.JSONField(default=dict)
    # Only of task coach: the stretches where *given* loses, by the same counts, as in `contest.vetting.coaching`.
    stretches: Any = models.JSONField(default=dict)
    # Only of hints for a lost position: the fields of `solvers.sokoban.coaching.tutor.Loss`.
    loss: Any = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    least_pushes = models.PositiveIntegerField(default=0)
    least_moves = models.PositiveIntegerField(default=0)
    band = models.PositiveSmallIntegerField(null=True)
    # Every attempt with its budget, its cost and where it ended.
    tried: Any = models.JSONField(default=list)

    objects: ClassVar[models.Manager["Search"]] = models.Manager.from_queryset(SearchQuerySet)()

    class Meta:
        verbose_name = _("search")
        verbose_name_plural = _("searches")
        constraints = [
            models.UniqueConstraint(fields=["sha256"], condition=Q(kind="vetting"), name="search_one_vetting_a_board"),
            models.UniqueConstraint(fields=["level"], condition=Q(kind="study"), name="search_one_study_a_level"),
            *(
                models.UniqueConstraint(fields=[of], condition=Q(kind="proof"), name=f"search_one_proof_a_{of}")
                for of in ("level", "collected")
            ),
            models.UniqueConstraint(
                fields=["level"],
                condition=Q(kind="machine", state__in=["queued", "running"]),
                name="search_one_waiting_attempt",
            ),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(answer__in=["solved", "unsolvable", "unknown"]),
                name="search_done_has_answer",
            ),
        ]
        indexes = [
            models.Index(
                fields=["urgency", "asked_at"], condition=Q(state__in=["queued", "running"]), name="search_queue"
            ),
            models.Index(fields=["kind", "-asked_at"], name="search_newest_of_kind"),
            # For the seconds that a network has asked for before each question.
            models.Index(fields=["network", "id"], condition=~Q(network=""), name="search_of_network"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"

    @cached_property
    def board(self) -> sokoban.Level:
        """The board to draw."""
        return sokoban.Level.parse(self.text)

    @property
    def is_waiting(self) -> bool:
        return self.state in (SearchState.QUEUED, SearchState.RUNNING)

    @property
    def is_done(self) -> bool:
        return self.state == SearchState.DONE

    @property
    def is_solved(self) -> bool:
        return self.answer == SearchAnswer.SOLVED

    @property
    def is_unsolvable(self) -> bool:
        return self.answer == SearchAnswer.UNSOLVABLE

    @property
    def is_unknown(self) -> bool:
        return self.answer == SearchAnswer.UNKNOWN

    @property
    def percent(self) -> int:
        """Percentage of the CPU seconds that is used."""
        return min(100, round(100 * self.cpu_seconds / max(self.seconds, 1)))

    def best_by(self, metric: str) -> dict[str, Any] | None:
        """Return the best solution found by *metric*, or else by the other one; None if there is none."""
        found: dict[str, dict[str, Any]] = self.found
        other = Metric.MOVES if metric == Metric.PUSHES else Metric.PUSHES
        return found.get(str(metric)) or found.get(str(other))

    @property
    def witness(self) -> dict[str, Any] | None:
        """A solution to replay: the one with the fewest pushes."""
        return self.best_by(Metric.PUSHES)

    def is_optimal(self, metric: str) -> bool:
        """Return True if it is proved that no solution has a lower count."""
        best = self.best_by(metric)
        least = self.least_pushes if metric == Metric.PUSHES else self.least_moves
        return best is not None and best[str(metric)] == least

    @property
    def is_optimal_by_pushes(self) -> bool:
        return self.is_optimal(Metric.PUSHES)

    @property
    def is_optimal_by_moves(self) -> bool:
        return self.is_optimal(Metric.MOVES)


class SearchBudget(models.Model):
    """The vetting budget for each new level; one row that organisers edit."""

    seconds = models.PositiveIntegerField(_("CPU seconds"), default=60)
    megabytes = models.PositiveIntegerField(_("megabytes"), default=1024)

    objects: ClassVar[models.Manager["SearchBudget"]] = models.Manager()

    class Meta:
        verbose_name = _("budget of vetting")
        verbose_name_plural = _("budget of vetting")

    def __str__(self) -> str:
        return f"{self.seconds} s, {self.megabytes} MB"
