"""Import of old rounds on the desk, from archives or tables: first a check that shows the result, then the import.

A worker does both (`archive.imports.jobs`). Permissions and file sizes are more limited than for the operator's
command (`manage.py import_rounds`).
"""

from pathlib import PurePosixPath
from typing import Any, TypeAlias

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from contest.archive.imports import drafts, guide, importer, jobs
from contest.celery import waking
from contest.desk.access import StaffRequest, staff
from contest.infra import clock
from contest.models import ImportDraft, RoundImport

Uploaded: TypeAlias = "UploadedFile[Any]"

# Below Django's own limit (DATA_UPLOAD_MAX_NUMBER_FILES).
MOST_FILES = 90
_AT_ONCE = 16_384  # packed bytes that are imported before the response
_ROUNDS_AT_ONCE = 10  # rounds that are removed before it
_SHOWN = 20


class ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class MovingForm(forms.Form):
    chosen = forms.FileField(
        label=gettext_lazy("Archives of rounds (.zip), or rounds.csv with results.csv and its level files"),
        required=False,
        widget=ManyFiles({"multiple": True}),
        help_text=gettext_lazy("Choose all related files at once; up to 30 MiB."),
    )


@staff("add_round", fresh=True)
@require_http_methods(["GET", "POST"])
def bring_rounds(request: StaffRequest) -> HttpResponse:
    """Take the files, and have them checked; small ones are checked before the response."""
    form = MovingForm(label_suffix="")
    files = request.FILES.getlist("chosen")
    error = ""
    if request.method == "POST":
        error = _selection_error(files)
        if not error:
            job = jobs.start({_file_name(file): file.read() for file in files}, at=clock.now(), by=request.user)
            start_work(job)
            return redirect("desk-round-import", job.pk)
    recent = RoundImport.objects.defer("data").order_by("-pk")[:_SHOWN]
    context = {"form": form, "error": error, "recent": recent}
    return render(request, "contest/desk/imports/bring.html", context, status=422 if error else 200)


@staff("add_round", fresh=True)
@require_http_methods(["GET", "POST"])
def round_import(request: StaffRequest, pk: int) -> HttpResponse:
    """Show the result of the check, then the progress of the import; the page polls `part` while a worker is busy."""
    reasons: list[str] = []
    job = get_object_or_404(RoundImport.objects.defer("data", "rounds"), pk=pk)
    if request.method == "POST":
        if request.POST.get("do") != "undo":
            return _handle_action(request, job)
        reasons = jobs.undo_import(job, request.user)
        if not reasons:
            start_work(job)
            return redirect("desk-round-import", job.pk)
    if request.GET.get("part") == "progress":
        return render(request, "contest/desk/imports/_progress.html", {"job": job})
    sums = importer.sums(job.rounds)
    has_draft = job.asked_by_id == request.user.pk and ImportDraft.objects.filter(owner=request.user).exists()
    context = {"job": job, "sums": sums, "has_draft": has_draft, "reasons": reasons}
    return render(request, "contest/desk/imports/round_import.html", context, status=409 if reasons else 200)


def _handle_action(request: StaffRequest, job: RoundImport) -> HttpResponse:
    if request.POST.get("do") == "stop":
        jobs.stop(job)
        if not RoundImport.objects.filter(pk=job.pk).exists():
            messages.success(request, _("Cancelled: nothing was changed."))
            return redirect("desk-bring-rounds")
        messages.success(request, _("The import ends. The rounds that are imported remain."))
        waking.wake_imports()
    elif jobs.confirm(job, request.user):
        start_work(job)
        messages.success(request, _("The import has begun."))
    else:
        messages.warning(request, _("This import has begun already."))
    return redirect("desk-round-import", job.pk)


def start_work(job: RoundImport) -> None:
    """Work on few files at once; leave many to a worker, while the page shows its progress."""
    if len(job.data) <= _AT_ONCE and job.done <= _ROUNDS_AT_ONCE:
        jobs.work_on(job)
    else:
        waking.wake_imports()


def _selection_error(files: list[Uploaded]) -> str:
    """Return an error message if the selection of *files* is invalid, else an empty string."""
    names = [_file_name(file) for file in files]
    if not any(name.endswith(".zip") or name == jobs.TABLE for name in names):
        return _("Choose archives of rounds (.zip), or rounds.csv with results.csv and its level files.")
    if len(files) > MOST_FILES:
        return _("You chose %(count)s files; the limit is %(most)s at once.") % {
            "count": len(files),
            "most": MOST_FILES,
        }
    if unusable := [name for name in names if name == guide.CHOICES or len(name.encode()) > drafts.LONGEST_NAME]:
        return _("The name of the file %(name)s cannot be used.") % {"name": repr(unusable[0])}
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return _("Two files have the name %(name)s.") % {"name": twice[0]}
    return ""


def _file_name(file: Uploaded) -> str:
    """Return the file name without any folders the browser sent; lower-case it if it is a table or an archive."""
    named = PurePosixPath((file.name or "").replace("\\", "/").replace("\0", "")).name or "unnamed"
    return named.lower() if named.lower() == jobs.TABLE or named.lower().endswith((".zip", "results.csv")) else named
