"""Submissions, read-only apart from acts: only judging writes verdicts."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from contest import visibility
from contest.admin.players import WhyForm
from contest.infra import clock
from contest.models import Level, Submission
from contest.organising.acts import Act, ActsAdmin, ReasonForm
from contest.results import rulings
from contest.wording.verdicts import describe_verdict

_FIELDS: Any = [
    "number", "round", "player", "slot_named", "door", "reader", "received_at", "state", "attempts", "words",
    "level", "moves", "pushes", "hash", "judged_at", "voided_at", "void_reason_zh", "void_reason_en", "void_note",
    "is_unpublished", "full_size", "moves_sent",
]  # fmt: skip


class VoidForm(ReasonForm):
    note = forms.CharField(
        label=_("Private note"), required=False, widget=forms.Textarea({"rows": 3}), help_text=_("For organisers only.")
    )
    is_unpublished = forms.BooleanField(
        label=_("Do not publish the moves"),
        required=False,
        help_text=_("For abuse and privacy only; otherwise the moves become public like all others."),
    )


def _void(submission: Submission, given: dict[str, Any], at: datetime, by: Any) -> None:
    rulings.void(submission, given["reason"], at=at, by=by, note=given["note"], is_unpublished=given["is_unpublished"])


_ACTS = (
    Act(
        "void",
        _("Make void"),
        _void,
        lambda submission, _at: submission.voided_at is None and submission.level_id is not None,
        VoidForm,
        takes_two=True,
    ),
    Act(
        "unvoid",
        _("Restore the submission"),
        lambda submission, given, _at, by: rulings.unvoid(submission, given["reason"], by=by),
        lambda submission, _at: submission.voided_at is not None,
        WhyForm,
    ),
)


@admin.register(Submission)
class SubmissionAdmin(ActsAdmin):
    """Submissions. Moves are hidden until the reveal, because an organiser may be a competitor (rule 7.3)."""

    list_display = ["number", "round", "player", "of_level", "state", "verdict", "moves", "pushes", "received_at"]
    list_display_links = ["number"]
    list_filter = ["round", "state", "verdict", "door"]
    list_select_related = ["round", "player", "level__round"]
    search_fields = ["=number", "player__nickname"]
    fields = readonly_fields = _FIELDS
    acts = _ACTS
    # A receipt's URL is secret: only its sender has it (rule 7.5).
    view_on_site = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        return super().get_queryset(request).defer("text", "lurd")

    # Django cannot sort by a relation whose own order is a condition.
    @admin.display(description=_("level"), ordering="level__pk")
    def of_level(self, submission: Submission) -> Level | None:
        return submission.level

    @admin.display(description=_("verdict"))
    def words(self, submission: Submission) -> str:
        """Return the verdict as players read it; before the reveal only its kind, because the text quotes the moves."""
        if visibility.may_staff_read(submission, clock.now()) or submission.is_pending or submission.is_held:
            return describe_verdict(submission)
        return submission.get_verdict_display()

    @admin.display(description="SHA-256")
    def hash(self, submission: Submission) -> str:
        """Return the hash only after the reveal: before, it would confirm a guess at the moves (rule 7.4)."""
        return submission.sha256 if visibility.may_see_hashes(submission.round, clock.now()) else "-"

    @admin.display(description=_("moves as sent"))
    def moves_sent(self, submission: Submission) -> str:
        if not visibility.may_staff_read(submission, clock.now()):
            return str(_("Shown after the round has closed."))
        return bytes(submission.text).decode("utf-8", "replace")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        return False
