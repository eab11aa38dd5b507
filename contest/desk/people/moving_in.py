"""Import of old rounds on the desk, from archives or tables: first a dry run that shows the result, then the import.

Nothing is stored in between: the files are uploaded again, and their SHA-256 must be the same. Permissions and file
sizes are more limited than for the operator's command (`manage.py import_rounds`).
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
# Below Django's own limit (DATA_UPLOAD_MAX_NUMBER_FILES).
MOST_FILES = 90


class _Files(forms.FileInput):
    allow_multiple_selected = True


class MovingForm(forms.Form):
    chosen = forms.FileField(
        label=gettext_lazy("Archives of rounds (.zip), or rounds.csv with results.csv and its level files"),
        required=False,
        widget=_Files({"multiple": True}),
        help_text=gettext_lazy("Choose all related files at once; up to 30 MiB."),
    )


@dataclass
class Report:
    """Result of an import or a dry run: the rounds, or the reasons why none can be imported."""

    done: list[ImportedRound] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@staff("add_round", fresh=True)
@require_http_methods(["GET", "POST"])
def bring_rounds(request: StaffRequest) -> HttpResponse:
    """Do a dry run with the files and show its result; then import the same files."""
    form = MovingForm(label_suffix="")
    files = request.FILES.getlist("chosen")
    report: Report | None = None
    seal = _seal(files)
    if request.method == "POST":
        is_last = request.POST.get("do") == "apply"
        if wrong := _selection_error(files) or (_seal_error(request, seal) if is_last else ""):
            report = Report(faults=[wrong])
        else:
            report = _import_rounds(files, request, is_rehearsal=not is_last)
        if is_last and not report.faults:
            messages.success(request, _("Imported: %(rounds)s") % {"rounds": _join_numbers(report.done)})
            return redirect("desk-rounds")
    is_bad = bool(report and report.faults)
    context = {"form": form, "report": report, "seal": "" if is_bad else seal}
    return render(request, "contest/desk/people/moving_in.html", context, status=422 if is_bad else 200)


def _selection_error(files: list[Uploaded]) -> str:
    """Return an error message if the selection of *files* is invalid, else an empty string."""
    names = [_file_name(file) for file in files]
    if not any(name.endswith(".zip") or name == _TABLE for name in names):
        return _("Choose archives of rounds (.zip), or rounds.csv with results.csv and its level files.")
    if len(files) > MOST_FILES:
        return _("You chose %(count)s files; the limit is %(most)s at once.") % {
            "count": len(files),
            "most": MOST_FILES,
        }
    if twice := sorted({name for name in names if names.count(name) > 1}):
        return _("Two files have the name %(name)s.") % {"name": twice[0]}
    return ""


def _seal_error(request: StaffRequest, seal: str) -> str:
    return "" if request.POST.get("seal") == seal else _("These are not the files of the preview. Preview them again.")


def _import_rounds(files: Iterable[Uploaded], request: StaffRequest, *, is_rehearsal: bool) -> Report:
    """Check all rounds of *files*; import all of them, or none if one has a fault or this is a dry run.

    Everything is verified and judged before the transaction, which blocks other writers.
    """
    report, preview = Report(), importer.Preview()
    with TemporaryDirectory() as folder:
        written = [_save_upload(Path(folder), file) for file in files]
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


def _save_upload(folder: Path, file: Uploaded) -> Path:
    path = folder / _file_name(file)
    with path.open("wb") as written:
        for chunk in file.chunks():
            written.write(chunk)
    return path


def _file_name(file: Uploaded) -> str:
    """Return the file name without any folders the browser sent; lower-case it if it is a table or an archive."""
    named = PurePosixPath((file.name or "").replace("\\", "/").replace("\0", "")).name or "unnamed"
    return named.lower() if named.lower() == _TABLE or named.lower().endswith((".zip", "results.csv")) else named


def _seal(files: Iterable[Uploaded]) -> str:
    """Return a SHA-256 digest of all names and contents."""
    digest = hashlib.sha256()
    for file in sorted(files, key=_file_name):
        of_file = hashlib.sha256()
        for chunk in file.chunks():
            of_file.update(chunk)
        digest.update(f"{_file_name(file)} {of_file.hexdigest()}\n".encode())
    return digest.hexdigest()


def _join_numbers(done: Iterable[ImportedRound]) -> str:
    return ", ".join(str(round_.number) for round_ in done)
