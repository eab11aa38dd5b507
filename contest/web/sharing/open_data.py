"""Public downloads: a round's archive, certificates of levels, and the programs that check them (rules 24.1, 24.2)."""

import hashlib

from django.db.models import Count, Sum
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from contest import visibility
from contest.archive import verifier, writer
from contest.archive.witnesses import one_file
from contest.infra import client_ip, clock, rate_limits
from contest.models import Certificate, Round, Submission
from contest.replays import practice
from contest.visibility import Viewer
from contest.web.shell.request import Request
from solvers.sokoban.solving.certificates.checking import checker

ROWS_PER_PASS, BYTES_PER_PASS = 50, 65_536  # each as long as a page


@require_safe
def archive_zip(request: Request, number: int) -> HttpResponseBase:
    """Stream the archive while building it; answer a matching ETag with 304. It is the same for every viewer."""
    at = clock.now()
    round_ = get_object_or_404(visibility.archived_rounds(Viewer(), at), number=number)
    _count_contents(request, round_)
    practice.record_all_seen(request.viewer, round_, at)
    contents = writer.of(round_, at)
    if not_modified := get_conditional_response(request, etag=contents.etag):
        return not_modified
    chunks = writer.write(contents) if request.method == "GET" else iter(())
    response = StreamingHttpResponse(chunks, content_type="application/zip")
    response.headers["ETag"] = contents.etag
    response.headers["Content-Disposition"] = f'attachment; filename="round-{number}.zip"'
    patch_cache_control(response, public=True, no_cache=True)
    return response


def _count_contents(request: Request, round_: Round) -> None:
    """Count the archive's submissions and bytes, which are read for a 304 too, against the client's address. Raise Busy
    (rule 5.9)."""
    sent = Submission.objects.filter(round=round_).aggregate(rows=Count("pk"), size=Sum(Length("text")))
    amount = 1 + sent["rows"] // ROWS_PER_PASS + (sent["size"] or 0) // BYTES_PER_PASS
    rate_limits.pass_door(rate_limits.LISTS, client_ip.sender_of(request), amount=amount)


@require_safe
def verifier_pyz(request: HttpRequest) -> HttpResponseBase:
    """Download the archive verifier, a single file with all its dependencies."""
    return _program(request, verifier.NAME, verifier.build(), verifier.sha256())


@require_safe
def witness_py(request: HttpRequest) -> HttpResponseBase:
    """Download the witness of the receipt log, a single file."""
    return _program(request, one_file.NAME, one_file.build(), one_file.sha256())


@require_safe
def checker_py(request: HttpRequest) -> HttpResponseBase:
    """Download the program that checks certificates of levels, a single file."""
    return _program(request, "check_certificate.py", checker(), hashlib.sha256(checker()).hexdigest())


@require_safe
def certificate_xz(request: Request, sha256: str) -> HttpResponseBase:
    """Download a public certificate, which counts by its bytes (rule 5.9); record that its solution was seen."""
    at = clock.now()
    row = visibility.certificates(at).filter(sha256=sha256, size__gt=0).first()
    if row is None:
        raise Http404
    rate_limits.pass_door(rate_limits.LISTS, client_ip.sender_of(request), amount=1 + row.size // BYTES_PER_PASS)
    if not visibility.may_see_proof(row, at):
        raise Http404
    if row.search.level:
        practice.record_all_seen(request.viewer, row.search.level.round, at)
    return _program(request, f"{row.kind}-{sha256[:12]}.xz", bytes(Certificate.objects.get(pk=row.pk).content), sha256)


def _program(request: HttpRequest, name: str, program: bytes, sha256: str) -> HttpResponseBase:
    etag = f'"{sha256}"'
    if not_modified := get_conditional_response(request, etag=etag):
        return not_modified
    response = HttpResponse(program, content_type="application/octet-stream")
    response.headers["ETag"] = etag
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    patch_cache_control(response, public=True, no_cache=True)
    return response
