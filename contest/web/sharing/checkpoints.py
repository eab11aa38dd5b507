"""Checkpoints of the receipt chain for archiving, and the endpoint to countersign other sites' (rule 24.2)."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from contest.archive.witnesses import asking, checkpoints, countersigning, records
from contest.infra import clock
from contest.models import Checkpoint
from contest.rules import signed_notes

LARGEST = signed_notes.LARGEST + 4_096
_LONGEST_LINE = 512
_TEXT = "text/plain; charset=utf-8"


@require_safe
def newest(_request: HttpRequest) -> HttpResponse:
    return _answer(checkpoints.newest())


@require_safe
def of_size(_request: HttpRequest, size: int) -> HttpResponse:
    return _answer(checkpoints.of_size(size) if size < 2**63 else None)


def _answer(found: Checkpoint | None) -> HttpResponse:
    if found is None:
        raise Http404
    response = HttpResponse(found.note, content_type=_TEXT)
    patch_cache_control(response, public=True, no_cache=True)
    return response


@require_safe
def proof(_request: HttpRequest, old: int, size: int) -> HttpResponse:
    """Return a consistency proof: the later checkpoint extends the earlier one."""
    hashes = checkpoints.consistency(old, size) if max(old, size) < 2**63 else None
    if hashes is None:
        raise Http404
    return JsonResponse({"old": old, "new": size, "hashes": hashes})


@require_safe
def public_keys(_request: HttpRequest) -> HttpResponse:
    """Return this site's public keys for checkpoints and countersignatures."""
    listed = "".join(f"{key}\n" for key in checkpoints.public_keys())
    return HttpResponse(listed, content_type=_TEXT)


@csrf_exempt  # Requests are signed by the log and carry no cookie.
@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Countersign the checkpoint of a site that this one witnesses (C2SP tlog-witness)."""
    if not settings.WITNESSED_LOGS:
        raise Http404
    body = request.read(LARGEST + 1)
    if len(body) > LARGEST:
        return HttpResponse("The request is too large.\n", status=413, content_type=_TEXT)
    answer = countersigning.add_checkpoint(body, clock.now())
    return HttpResponse(answer.text, status=answer.status, content_type=answer.content_type)


@csrf_exempt  # Requests are signed by the witness and carry no cookie.
@require_POST
def sign(request: HttpRequest, size: int) -> HttpResponse:
    """Store the countersignature of a witness in WITNESSES that sends it without being asked."""
    line = request.read(_LONGEST_LINE).decode(errors="replace")
    checkpoint = checkpoints.of_size(size) if size < 2**63 else None
    key = next((key for key, _url in records.witnesses() if line.startswith(f"\N{EM DASH} {key.name} ")), None)
    if checkpoint is None or key is None:
        raise Http404
    if not asking.store_signature(checkpoint, line, key):
        return HttpResponse("This is no signature of the checkpoint by this key.\n", status=403, content_type=_TEXT)
    return HttpResponse("Stored.\n", content_type=_TEXT)
