"""Submissions of players. The table is also the judging queue: see docs/explanation/judging.md."""

from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from contest.models.level import Level, Slot
from contest.models.player import Player
from contest.models.round import Round
from contest.models.ruling import Disqualification


class Door(models.TextChoices):
    WEB = "web", _("web form")
    API = "api", _("API")
    LEGACY = "legacy", _("older programs")
    IMPORT = "import", _("import")


class Reader(models.TextChoices):
    """The reader of the moves text (docs/reference/formats.md, *Moves*). The first three are of 0.6.0 and earlier."""

    RUN_LENGTH = "rle", _("LURD with run-length")
    LENIENT = "lenient", _("pasted lines of moves")
    LEGACY = "legacy", _("what older programs send")
    PASTED = "pasted", _("anything pasted")
    SEALED = "sealed", _("sealed answer, opened")


class State(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being judged")
    JUDGED = "judged", _("judged")
    QUARANTINED = "quarantined", _("waiting for an organiser")


OPEN_STATES = (State.QUEUED, State.RUNNING)
# The order of the queue (docs/explanation/judging.md).
IN_TURN = ("turn_at", "number")


class Verdict(models.TextChoices):
    """The verdicts of rule 6.7."""

    ACCEPTED = "accepted", _("accepted")
    SPECTATOR = "spectator", _("spectator answer")
    NOT_SOLVED = "not_solved", _("not solved")
    ILLEGAL = "illegal", _("illegal move")
    MALFORMED = "malformed", _("unreadable")
    EMPTY = "empty", _("empty")
    TOO_LONG = "too_long", _("too long")


# Verdicts with a level and a score.
SCORED = (Verdict.ACCEPTED, Verdict.SPECTATOR)
# Value of `why` for an imported result without moves: it was accepted unverified (rule 3.3).
NOT_REPLAYED = "not_replayed"


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def accepted(self) -> Self:
        return self.filter(verdict=Verdict.ACCEPTED)

    def entered(self) -> Self:
        """Return submissions of the contest itself, not practice (rule 20.1)."""
        return self.filter(is_practice=False)

    def counted(self, verdict: Verdict = Verdict.ACCEPTED) -> Self:
        """Return counted submissions (rule 1.7): accepted, not void, player neither disqualified nor hors concours."""
        disqualified = Disqualification.objects.standing().filter(round=OuterRef("round"))
        counted = self.filter(verdict=verdict, voided_at=None, is_hors_concours=False).entered()
        # Rule 4.13: a merged name brings its disqualifications along.
        names = Exists(disqualified.filter(player__merged_into=OuterRef("player")))
        return counted.exclude(Exists(disqualified.filter(player=OuterRef("player")))).exclude(names)

    def practised(self) -> Self:
        """Return submissions that count as practice (rule 20.1)."""
        return self.accepted().filter(is_practice=True, voided_at=None)

    def of(self, player: Player) -> Self:
        return self.filter(player=player)

    def waiting(self) -> Self:
        return self.filter(state__in=OPEN_STATES)

    def replayable(self) -> Self:
        """Exclude results that were imported without moves, and pruned texts."""
        return self.filter(full_size=None).exclude(why=NOT_REPLAYED)

    def pruned(self) -> Self:
        return self.filter(full_size__isnull=False)

    def without_text(self) -> Self:
        """Defer columns that may be megabytes; for lists."""
        return self.defer("text", "lurd", "turned")


class Submission(models.Model):
    """One moves text received in time (rule 1.6). The primary key is its public number."""

    number = models.BigAutoField(_("number"), primary_key=True)
    receipt_id = models.CharField(max_length=32, editable=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="submissions")
    # No index of its own: submission_quota begins with it. Each index slows every step from receipt to verdict.
    player = models.ForeignKey(Player, models.PROTECT, related_name="submissions", db_index=False)
    # The player it was sent as. Merging changes `player`; this stays (rule 4.13).
    sent_as = models.ForeignKey(Player, models.PROTECT, related_name="+", db_index=False)
    slot_named = models.CharField(max_length=8, blank=True)
    # UTF-8 as received; bytes, because PostgreSQL's text refuses NUL and players may send anything.
    text = models.BinaryField()
    # Its bytes before it was pruned to its beginning (rule 15.8); None if it is whole.
    full_size = models.PositiveIntegerField(_("bytes before pruning"), null=True)
    sha256 = models.CharField(max_length=64)
    door = models.CharField(max_length=8, choices=Door)
    reader = models.CharField(max_length=8, choices=Reader)
    idempotency_key = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none", not ""
    # Rule 4.12: a keyed hash of the sender's network, only under an unclaimed name; deleted after 30 days.
    open_network = models.CharField(max_length=32, default="", db_default="", blank=True, editable=False)
    received_at = models.DateTimeField()
    is_imported = models.BooleanField(default=False)
    # Its number on the site that first received it; archives refer to an imported submission by it.
    original_number = models.BigIntegerField(null=True)
    is_practice = models.BooleanField(default=False)
    is_hors_concours = models.BooleanField(default=False)

    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    claim_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # The estimated cost of judging in microseconds, and its turn in the queue (submissions.limits).
    cost = models.PositiveIntegerField(default=0)
    turn_at = models.DateTimeField(db_default=Now())

    verdict = models.CharField(max_length=12, choices=Verdict, blank=True)
    level = models.ForeignKey(Level, models.PROTECT, null=True, related_name="submissions")
    lurd = models.TextField(blank=True)
    moves = models.PositiveIntegerField(null=True)
    pushes = models.PositiveIntegerField(null=True)
    cut = models.PositiveIntegerField(default=0)
    case_corrected = models.BooleanField(default=False)
    index = models.PositiveIntegerField(null=True)
    step = models.PositiveIntegerField(null=True)
    why = models.CharField(max_length=32, blank=True)
    why_values = models.JSONField(default=dict)
    boxes_home = models.PositiveSmallIntegerField(null=True)
    # The offer from `offers`: a level that it solves when turned back, or another level than the one it names.
    turned = models.JSONField(null=True)
    judged_at = models.DateTimeField(null=True)

    voided_at = models.DateTimeField(null=True)
    void_reason_zh = models.CharField(max_length=500, blank=True)
    void_reason_en = models.CharField(max_length=500, blank=True)
    void_note = models.TextField(blank=True)
    is_unpublished = models.BooleanField(default=False)

    objects: ClassVar[models.Manager["Submission"]] = models.Manager.from_queryset(SubmissionQuerySet)()

    class Meta:
        ordering = ["-number"]
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        constraints = [
            # Not unique=True, which would give PostgreSQL a second index for LIKE.
            models.UniqueConstraint(fields=["receipt_id"], name="submission_receipt"),
            # Rule 5.6: the same text sent again is the same submission.
            models.UniqueConstraint(
                fields=["sent_as", "round", "is_practice", "slot_named", "reader", "sha256"],
                name="submission_same_text_once",
            ),
            # Rule 5.5: idempotency keys.
            models.UniqueConstraint(fields=["sent_as", "idempotency_key"], name="submission_idempotent"),
            models.CheckConstraint(
                condition=Q(slot_named="") | Q(slot_named__in=Slot.values), name="submission_slot_known"
            ),
            models.CheckConstraint(
                condition=Q(state=State.JUDGED, judged_at__isnull=False) & ~Q(verdict="")
                | ~Q(state=State.JUDGED) & Q(judged_at=None, verdict=""),
                name="submission_judged_has_verdict",
            ),
            models.CheckConstraint(
                condition=~Q(verdict__in=[Verdict.ACCEPTED, Verdict.SPECTATOR])
                | Q(level__isnull=False, moves__isnull=False, pushes__isnull=False),
                name="submission_accepted_has_score",
            ),
        ]
        indexes = [
            models.Index(fields=IN_TURN, condition=Q(state__in=OPEN_STATES), name="submission_queue"),
            models.Index(fields=["number"], condition=Q(state=State.QUARANTINED), name="submission_held"),
            models.Index(fields=["player", "received_at"], name="submission_quota"),
            models.Index(
                fields=["round", "-received_at", "-number"],
                condition=Q(verdict=Verdict.ACCEPTED),
                name="submission_list",
            ),
            models.Index(fields=["received_at"], condition=~Q(open_network=""), name="submission_with_network"),
            # The newest of all rounds, for feeds.
            models.Index(
                fields=["-received_at", "-number"], condition=Q(verdict=Verdict.ACCEPTED), name="submission_newest"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("receipt", args=[self.receipt_id])

    @property
    def came_at(self) -> datetime:
        """When it arrived here. For an opened sealed answer roughly: its received_at is the time of sealing."""
        return self.turn_at if self.reader == Reader.SEALED else self.received_at

    @property
    def is_pending(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def is_held(self) -> bool:
        return self.state == State.QUARANTINED

    @property
    def reading(self) -> str:
        """The reading in which moves were found (rule 6.1); empty if none was, or if 0.6.0 or earlier judged it."""
        return str(self.why_values.get("reading", ""))

    @property
    def left_out(self) -> list[dict[str, Any]]:
        """The first parts of the text that were not read as moves: `{"line", "text"}`."""
        return [{"line": line, "text": text} for line, text in self.why_values.get("left_out", [])]

    @property
    def is_accepted(self) -> bool:
        return self.verdict == Verdict.ACCEPTED

    @property
    def is_scored(self) -> bool:
        return self.verdict in SCORED
