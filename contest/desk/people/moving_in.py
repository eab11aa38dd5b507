"""Old rounds brought in on the desk, from archives or tables: rehearsed first, with what would come of it, then done.

Nothing is kept between the two: the files are chosen again, and are the same by their SHA-256. Who may do this, and how
large a file may be, is less than the operator's command allows (`manage.py import_rounds`).
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from contest.archive import csv_import, importer
from contest.archive.incoming import ImportedRound, Incoming, NotImported, read_archive
from contest.desk.access import StaffRequest, staff

Uploaded: TypeAlias = "UploadedFile[Any]"

_TABLE = "rounds.csv"
# Below what Django itself refuses (DATA_UPLOAD_MAX_NUMBER_FILES).
MOST_FILES = 90


class _Files(forms.FileInput):
    allow_multiple_selected = True


class MovingForm(forms.Form):
    chosen = forms.FileField(
        label=gettext_lazy("Archives of rounds (.zip), or rounds.csv with results.csv and its level files"),
        required=False,
        widget=_Files({"multiple": True}),
        help_text=gettext_lazy("Choose all that belong together at once; up to 30 MiB."),
    )


@dataclass
class Report:
    """What came, or would come, of it: the rounds, or why nothing of them can be brought in."""

    done: list[ImportedRound] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@staff("add_round", fresh=True)
@require_http_methods(["GET", "POST"])
def bring_rounds(request: StaffRequest) -> HttpResponse:
    """Rehearse the files, and say what would come of them; then, with the same files, do it."""
    form = MovingForm(label_suffix="")
    files = request.FILES.getlist("chosen")
    report: Report | None = None
    seal = _seal(files)
    if request.method == "POST":
        is_last = request.POST.get("do") == "apply"
        if wrong := _unfit(files) or (_other(request, seal) if is_last else ""):
            report = Report(faults=[wrong])
        else:
            report = _bring(files, request, is_rehearsal=not is_last)
        if is_last and not report.faults:
            messages.success(request, _("Brought in: %(rounds)s") % {"rounds": _numbers(report.done)})
            return redirect("desk-rounds")
    is_bad = bool(report and report.faults)
    words = {"form": form, "report": report, "seal": "" if is_bad else seal}
    return render(request, "contest/desk/people/moving_in.html", words, status=422 if is_bad else 200)


def _unfit(files: list[Uploaded]) -> str:
    """What is wrong with the choice of *files* themselves."""
    names = [_name(file) for file in files]
    if not any(name.endswith(".zip") or name == _TABLE for name in names):
        return _("Choose archives of rounds (.zip), or rounds.csv with results.csv and its level files.")
    if len(files) > MOST_FILES:
        return _("These are %(count)s files; up to %(most)s can be taken at once.") % {
            "count": len(files),
            "most": MOST_FILES,
        }
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return _("Two files have the name %(name)s.") % {"name": twice[0]}
    return ""


def _other(request: StaffRequest, seal: str) -> str:
    return "" if request.POST.get("seal") == seal else _("These are other files than those you looked at. Look again.")


def _bring(files: Iterable[Uploaded], request: StaffRequest, *, is_rehearsal: bool) -> Report:
    """Look at all rounds of *files*; bring them in, or none where one has a fault, unless it is a rehearsal.

    Everything is verified and judged before the transaction, which keeps other writers waiting.
    """
    report, preview = Report(), importer.Preview()
    with TemporaryDirectory() as folder:
        written = [_write(Path(folder), file) for file in files]
        paths = sorted(path for path in written if path.suffix == ".zip" or path.name == _TABLE)
        for path in paths:
            try:
                report.done += preview.look_at(_read(path))
            except NotImported as error:
                report.faults += error.faults
        if is_rehearsal or report.faults:
            return report
        found = (incoming for path in paths for incoming in _read(path, is_verified=True))
        try:
            return Report(importer.store_all(found, by=request.user))
        except NotImported as error:  # another organiser was faster
            return Report(faults=list(error.faults))


def _read(path: Path, *, is_verified: bool = False) -> list[Incoming]:
    return csv_import.read(path) if path.name == _TABLE else [read_archive(path, is_verified=is_verified)]


def _write(folder: Path, file: Uploaded) -> Path:
    path = folder / _name(file)
    with path.open("wb") as written:
        for chunk in file.chunks():
            written.write(chunk)
    return path


def _name(file: Uploaded) -> str:
    """Its name alone, in small letters at the end: whatever a browser says of folders."""
    named = PurePosixPath((file.name or "").replace("\\", "/").replace("\0", "")).name or "unnamed"
    return named.lower() if named.lower() == _TABLE or named.lower().endswith((".zip", "results.csv")) else named


def _seal(files: Iterable[Uploaded]) -> str:
    """The SHA-256 of all names and contents."""
    digest = hashlib.sha256()
    for file in sorted(files, key=_name):
        of_file = hashlib.sha256()
        for chunk in file.chunks():
            of_file.update(chunk)
        digest.update(f"{_name(file)} {of_file.hexdigest()}\n".encode())
    return digest.hexdigest()


def _numbers(done: Iterable[ImportedRound]) -> str:
    return ", ".join(str(one.number) for one in done)
