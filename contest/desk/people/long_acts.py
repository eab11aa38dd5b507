"""Acts that a worker carries out, on the desk: progress, report, and an early end."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.celery import waking
from contest.desk.access import StaffRequest, staff
from contest.models import LongAct
from contest.organising import long_acts


@staff(*sorted(set(long_acts.PERMISSIONS.values())), fresh=True)
@require_http_methods(["GET", "POST"])
def long_act(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the progress and the report; the page polls `part` while a worker is busy. A POST cancels or continues."""
    rows = LongAct.objects.select_related("rejudging", "source", "target", "asked_by")
    job = get_object_or_404(rows, pk=pk)
    may_act = request.user.has_perm(f"contest.{long_acts.PERMISSIONS[LongAct.Kind(job.kind)]}")
    if request.method == "POST":
        if not may_act:
            raise PermissionDenied
        _handle_action(request, job)
        return redirect("desk-long-act", pk)
    if request.GET.get("part") == "progress":
        return render(request, "contest/desk/acts/_progress.html", {"job": job})
    context = {
        "job": job,
        "back": _back(job),
        "may_cancel": may_act and job.can_be_cancelled,
        "may_try_again": may_act and job.state == LongAct.State.FAILED,
    }
    return render(request, "contest/desk/acts/long_act.html", context)


def _handle_action(request: HttpRequest, job: LongAct) -> None:
    try:
        is_changed = long_acts.try_again(job) if request.POST.get("do") == "again" else _cancel(request, job)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return
    if is_changed:
        waking.wake_long_acts()
    else:
        messages.warning(request, _("That is not possible any more. The current state is shown below."))


def _cancel(request: HttpRequest, job: LongAct) -> bool:
    """Cancel the act; undo a little at once, because an act that nobody has begun may have no worker to undo it."""
    if request.POST.get("do") != "cancel" or not long_acts.cancel(job, request.user):
        return False
    if job.done <= long_acts.SMALL:
        long_acts.work_on(job)
    return True


def _back(job: LongAct) -> str:
    if job.rejudging_id:
        return reverse("desk-rejudging", args=[job.rejudging_id])
    return reverse("desk-player", args=[job.source_id]) if job.source_id else reverse("desk-rounds")
