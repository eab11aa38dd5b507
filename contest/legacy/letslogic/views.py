"""The endpoints (docs/reference/letslogic.md): blue is best by moves, green by pushes.

The programs expect JSON with status 200 for refusals too: {"error": words}.
"""

import io
import json
import zipfile
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from contest.infra import client_ip, clock, rate_limits
from contest.legacy.letslogic import library, rounds
from contest.legacy.letslogic.words import NO_KEY, NO_LEVEL, NotAccepted
from contest.levels.files import FIRST_COLLECTED
from contest.models import Scope, Token
from contest.players import api_tokens
from contest.submissions import Refused

View = Callable[..., HttpResponse]


def _endpoint(view: View) -> View:
    """Wrap an endpoint: check that LETSLOGIC is on, authenticate by token, and report errors as a sentence."""

    @rate_limits.costs(rate_limits.FORM, refuse=_refuse_busy)
    @csrf_exempt
    @require_POST
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.LETSLOGIC:
            raise Http404
        with override("en"):
            try:
                token = api_tokens.of_text(request.POST.get("key", ""), clock.now())
                response = view(request, token, *args, **kwargs)
            except api_tokens.BadToken:
                response = _error(NO_KEY)
        response["Access-Control-Allow-Origin"] = "*"
        return response

    return answer


def _error(message: str) -> HttpResponse:
    return JsonResponse({"error": message})


def _refuse_busy(_request: HttpRequest, busy: rate_limits.Busy) -> HttpResponse:
    return _error(f"Too many solutions; wait {busy.wait or rate_limits.SPAN_SECONDS} seconds")


@_endpoint
def collections(_request: HttpRequest, token: Token) -> HttpResponse:
    at = clock.now()
    return JsonResponse([*rounds.collections(token, at), *library.collections(token, at)], safe=False)


@_endpoint
def collection(request: HttpRequest, token: Token, number: int) -> HttpResponse:
    if number < FIRST_COLLECTED:
        return JsonResponse(rounds.levels(token, number, clock.now()), safe=False)
    try:
        library.count_levels(token, number, client_ip.sender_of(request), clock.now())
    except rate_limits.Busy as busy:
        return _refuse_busy(request, busy)
    return JsonResponse(library.levels(token, number, clock.now()), safe=False)


@_endpoint
def level_(request: HttpRequest, token: Token, key: int) -> HttpResponse:
    enter = library.enter if key >= FIRST_COLLECTED else rounds.enter
    if Scope.SUBMIT not in token.scopes:
        return _error(NO_KEY)
    try:
        rate_limits.pass_token(token.public_id, 1, token.per_minute)
        done = enter(token, key, request.POST.get("solution", ""), client_ip.sender_of(request), clock.now())
    except rate_limits.Busy as busy:
        return _refuse_busy(request, busy)
    except ObjectDoesNotExist:
        return _error(NO_LEVEL)
    except (Refused, NotAccepted) as refusal:
        return _error(str(refusal))
    return JsonResponse(done.show())


@_endpoint
def records(request: HttpRequest, token: Token) -> HttpResponse:
    """Return all of the player's bests as a ZIP with one JSON object, keyed by level. The key needs the scope read.

    Each level of a round takes as long as a form, and counts as one.
    """
    if Scope.READ not in token.scopes:
        return _error(NO_KEY)
    at = clock.now()
    solved = rounds.solved_levels(token, at)
    try:
        rate_limits.pass_door(rate_limits.FORM, client_ip.sender_of(request), amount=len(solved))
    except rate_limits.Busy as busy:
        return _refuse_busy(request, busy)
    shown = {
        str(number): {"blue": blue, "green": green}
        for number, (blue, green) in (*rounds.records(token, solved), *library.records(token, at))
        if blue and green
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("records.json", json.dumps(shown))
    return HttpResponse(packed.getvalue(), content_type="application/zip")
