"""Submissions, to look at: only judging writes verdicts."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from contest import clock, rounds
from contest.models import Submission
from contest.words import verdict_words

_FIELDS: Any = [
    "number", "round", "player", "slot_named", "door", "reader", "received_at", "state", "attempts", "words",
    "level", "moves", "pushes", "sha256", "judged_at", "sent",
]  # fmt: skip


@admin.register(Submission)
class SubmissionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs only
    """An organiser may be a rival too: nobody reads the moves of others before the round has closed (rule 7.3)."""

    list_display = ["number", "round", "player", "level", "state", "verdict", "moves", "pushes", "received_at"]
    list_display_links = ["number"]
    list_filter = ["round", "state", "verdict", "door"]
    list_select_related = ["round", "player", "level__round"]
    search_fields = ["=number", "player__nickname"]
    fields = readonly_fields = _FIELDS
    # A receipt's address is a secret of its sender (rule 7.5).
    view_on_site = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        return super().get_queryset(request).defer("text", "lurd")

    @admin.display(description=_("verdict"))
    def words(self, submission: Submission) -> str:
        """The sentence players get; before the close only its kind, for the sentence quotes the moves."""
        if rounds.is_closed(submission.round, clock.now()) or submission.is_pending or submission.is_held:
            return verdict_words(submission)
        return submission.get_verdict_display()

    @admin.display(description=_("moves as sent"))
    def sent(self, submission: Submission) -> str:
        if not rounds.is_closed(submission.round, clock.now()):
            return str(_("Shown after the round has closed."))
        return bytes(submission.text).decode("utf-8", "replace")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        return False
