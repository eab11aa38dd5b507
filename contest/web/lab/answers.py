"""Endpoints of the Klotski script: the atlas, and shortest strict solutions (each piece has its own target)."""

import hashlib
import logging
from functools import cache

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest.celery import waking
from contest.infra import client_ip as addresses
from contest.infra import rate_limits as gate
from contest.vetting import klotski as questions
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError
from solvers.klotski import atlas

log = logging.getLogger(__name__)


@require_safe
def atlas_file(request: HttpRequest) -> HttpResponseBase:
    """Return every layout's distance from the exit, two bits each, 90,870 bytes (solvers/klotski/atlas.py)."""
    response = get_conditional_response(request, etag=_etag()) or HttpResponse(
        atlas.FILE.read_bytes(), content_type="application/octet-stream"
    )
    response.headers["ETag"] = _etag()
    patch_cache_control(response, public=True, max_age=3600)
    return response


def _refuse_busy(_request: HttpRequest, busy: gate.Busy) -> JsonResponse:
    wait = busy.wait or gate.SPAN_SECONDS
    message = ngettext(
        "You have asked too many questions. Ask again in %(wait)s second.",
        "You have asked too many questions. Ask again in %(wait)s seconds.",
        wait,
    )
    return JsonResponse({"error": message % {"wait": wait}}, status=429, headers={"Retry-After": str(wait)})


@gate.costs(gate.FORM, is_read=True, refuse=_refuse_busy)  # A question that needs a worker costs more.
@never_cache
@require_safe
def strict(request: HttpRequest) -> HttpResponse:
    """Answer 200 with the moves, or null if unsolvable; 202 while a worker searches; else an error message."""
    try:
        start, target = (questions.parse_layout(request.GET.get(name, "")) for name in ("from", "to"))
        found = questions.find_moves(start, target, address=addresses.sender_of(request), ask=waking.ask_klotski)
    except PuzzleError as error:
        return JsonResponse({"error": describe_error(error)}, status=422)
    except gate.Busy as busy:
        return _refuse_busy(request, busy)
    except Exception as error:  # The cache client may raise any exception.
        log.warning("A question of the lab was not looked up (%s).", error)
        return JsonResponse({"error": _("The server cannot search just now.")}, status=503)
    return JsonResponse({}, status=202) if found is None else JsonResponse({"moves": found[0]})


@cache
def _etag() -> str:
    return f'"{hashlib.sha256(atlas.FILE.read_bytes()).hexdigest()[:16]}"'
