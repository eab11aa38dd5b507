"""Submissions on the desk: view, void, send back for judging; never change or delete them."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from contest import visibility
from contest.admin import SubmissionAdmin
from contest.admin.players import WhyForm
from contest.desk import actions
from contest.desk.access import StaffRequest, staff
from contest.desk.places import on_round
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.judging import rejudge
from contest.models import AuditEntry, Round, State, Submission
from contest.models.submission import SCORED
from contest.organising.acts import Act
from contest.staff import track_owners
from contest.staff.track_owners import OWN
from contest.wording.verdicts import describe_verdict

PER_PAGE = 50


def _release(submission: Submission, given: dict[str, Any], _at: Any, by: Any) -> None:
    rejudge.release(Submission.objects.filter(pk=submission.pk), by, given["reason"])


ACTS_ON_SUBMISSIONS = actions.Kind(
    {
        act.name: act
        for act in (
            *SubmissionAdmin.acts,
            Act(
                "release",
                _("Send back for judging"),
                _release,
                lambda submission, _at: submission.is_held,
                WhyForm,
            ),
        )
    },
    lambda submission: [submission.round],
    lambda submission: reverse("desk-submission", args=[submission.pk]),
    _("The reason is public: it appears beside the submission in the round's list of submissions, and on its receipt."),
)


@staff("view_submission", OWN)
@require_safe
@on_round("view_submission")
def all_submissions(request: StaffRequest, round_: Round) -> HttpResponse:
    """List the submissions to a round, newest first; search by nickname or number, filter by state."""
    sought, standing = request.GET.get("q", "").strip(), request.GET.get("standing", "")
    found = Submission.objects.filter(round=round_).without_text().select_related("player", "level__round")
    if sought:
        wanted = Q(player__nickname__icontains=sought)
        if number := whole_number(sought):
            wanted |= Q(pk=number)
        found = found.filter(wanted)
    if standing in _STANDINGS:
        found = found.filter(_STANDINGS[standing][1])
    context = {
        "round": round_,
        "chosen": Paginator(found.order_by("-number"), PER_PAGE).get_page(request.GET.get("page")),
        "sought": sought,
        "standing": standing,
        "standings": [(name, label) for name, (label, _where) in _STANDINGS.items()],
    }
    return render(request, "contest/desk/rounds/submissions.html", context)


_STANDINGS = {
    "accepted": (_("accepted"), Q(verdict__in=SCORED, voided_at=None)),
    "void": (_("void"), Q(voided_at__isnull=False)),
    "rejected": (_("rejected"), Q(state=State.JUDGED) & ~Q(verdict__in=SCORED)),
    "waiting": (_("waiting"), Q(state__in=[State.QUEUED, State.RUNNING])),
    "held": (_("waiting for an organiser"), Q(state=State.QUARANTINED)),
}


@staff("view_submission", OWN)
@require_safe
def submission(request: StaffRequest, pk: int) -> HttpResponse:
    """Show one submission. Its moves are hidden until the reveal: an organiser may be a competitor (rule 7.3)."""
    at = clock.now()
    rows = Submission.objects.select_related("player", "round", "level__round")
    found = get_object_or_404(track_owners.filter_rows(request.user, rows, "view_submission", by="round__track"), pk=pk)
    may_read = visibility.may_staff_read(found, at)
    quotes = not (may_read or found.is_pending or found.is_held)  # the full sentence quotes the moves
    may_act = track_owners.may(request.user, "change_submission", found.round.track_id)
    context = {
        "submission": found,
        "verdict": found.get_verdict_display() if quotes else describe_verdict(found),
        "sent": bytes(found.text).decode("utf-8", "replace") if may_read else None,
        "sha256": found.sha256 if visibility.may_see_hashes(found.round, at) else "",
        "acts": actions.offered_acts(ACTS_ON_SUBMISSIONS, found) if may_act else [],
        "entries": AuditEntry.objects.filter(target=f"submission {found.pk}")[:20],
    }
    return render(request, "contest/desk/rounds/submission.html", context)


@staff("change_submission", OWN, fresh=True)
@require_http_methods(["GET", "POST"])
def act(request: StaffRequest, pk: int, name: str) -> HttpResponse:
    rows = Submission.objects.select_related("player", "round", "level__round").without_text()
    rows = track_owners.filter_rows(request.user, rows, "change_submission", by="round__track")
    return actions.handle_act(request, ACTS_ON_SUBMISSIONS, get_object_or_404(rows, pk=pk), name)
