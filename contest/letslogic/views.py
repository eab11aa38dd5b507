"""A round is a collection, its slots are its levels; blue is best by moves, green by pushes (docs/letslogic.md).

Those programs expect JSON with status 200 for every refusal, too: {"error": words}.
"""

import io
import json
import zipfile
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from contest import submissions, visibility
from contest.infra import client_ip, clock, rate_limits
from contest.models import Best, Board, Door, Level, Metric, Scope, Submission, Token, Verdict
from contest.players import api_tokens
from contest.rankings import standings
from contest.submissions import Entry, Refused
from solvers.sokoban.formats import letslogic

View = Callable[..., HttpResponse]
NO_KEY = "Invalid key"
NO_LEVEL = "Specified level does not exist"
WRONG = "Invalid Solution"
PATIENCE = 5.0


def _door(view: View) -> View:
    """Switched on by the operator; the key is a token; trouble is a sentence."""

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


def _error(words: str) -> HttpResponse:
    return JsonResponse({"error": words})


@_door
def collections(_request: HttpRequest, token: Token) -> HttpResponse:
    opened = visibility.opened_rounds(api_tokens.viewer(token), clock.now()).prefetch_related("levels")
    shown = [
        {
            "id": round_.number,
            "title": str(round_),
            "author": ", ".join(dict.fromkeys(level.author for level in round_.levels.all() if level.author)),
            "description": round_.title or None,
            "levels": len(round_.levels.all()),
        }
        for round_ in opened
    ]
    return JsonResponse(shown, safe=False)


@_door
def collection(_request: HttpRequest, token: Token, number: int) -> HttpResponse:
    viewer = api_tokens.viewer(token)
    levels = visibility.levels(viewer, clock.now()).filter(round__number=number)
    return JsonResponse([_level(level, token) for level in levels], safe=False)


def _level(level: Level, token: Token) -> dict[str, Any]:
    """A level with the player's own best by both counts, null where there is none."""
    blue, green = (_own(level, metric, token) for metric in (Metric.MOVES, Metric.PUSHES))
    return {
        "id": level.pk,
        "height": level.height,
        "width": level.width,
        "title": level.title or str(level),
        "author": level.author or None,
        "map": letslogic.write(level.board),
        "blue_moves": blue and blue["moves"],
        "blue_pushes": blue and blue["pushes"],
        "green_moves": green and green["moves"],
        "green_pushes": green and green["pushes"],
    }


def _own(level: Level, metric: Metric, token: Token) -> dict[str, Any] | None:
    """Rank, points and counts of the token's player; points are rank counted from the end, as those programs show."""
    league = standings.league_of(token.player, level.round)
    rank = standings.rank_of(level, metric, token.player, league)
    best = level.bests.filter(player=token.player, metric=metric, board=Board.CONTEST).first()
    if rank is None or best is None:
        return None
    points = standings.count(level, metric, league=league) - rank + 1
    return {"rank": rank, "points": points, "moves": best.moves, "pushes": best.pushes}


@_door
def level_(request: HttpRequest, token: Token, key: int) -> HttpResponse:
    """Enter a solution of a level of the open round."""
    level = visibility.levels(api_tokens.viewer(token), clock.now()).filter(pk=key).first()
    if level is None:
        return _error(NO_LEVEL)
    if Scope.SUBMIT not in token.scopes:
        return _error(NO_KEY)
    before = [_own(level, metric, token) for metric in Metric]
    try:
        rate_limits.pass_token(token.public_id, 1, token.per_minute)
        submission = _entered(request, token, level)
    except rate_limits.Busy as busy:
        return _error(f"Too many solutions; wait {busy.wait or rate_limits.SPAN_SECONDS} seconds")
    except Refused as refusal:
        return _error(refusal.reason)
    if submission.verdict != Verdict.ACCEPTED or submission.level_id != level.pk:
        return _error(WRONG if submission.verdict else f"Received as {submission.number}, still being checked")
    level.refresh_from_db(fields=["board_version"])  # what was counted of the board before is of its older version
    after = [_own(level, metric, token) for metric in Metric]
    sentence = f"You have completed this puzzle in {submission.moves} move(s) and {submission.pushes} pushe(s)."
    gained = "Well done! " if before != after else "But you have not improved. "
    shown = {name: best for name, best in zip(("blue", "green"), after, strict=True) if best}
    return JsonResponse({"result": gained + sentence, **shown})


def _entered(request: HttpRequest, token: Token, level: Level) -> Submission:
    entry = Entry(
        nickname=token.player.nickname,
        moves=request.POST.get("solution", ""),
        round=level.round.number,
        slot=level.slot,
    )
    viewer = api_tokens.viewer(token)
    receipt = submissions.accept(entry, door=Door.API, viewer=viewer, address=client_ip.sender_of(request))
    submission = submissions.verdict_soon(receipt.submission, settings.LEGACY_WAIT_SECONDS)
    if submission.is_pending:
        submission = submissions.judge_now(submission)
    return submissions.verdict_soon(submission, PATIENCE) if submission.is_pending else submission


@_door
def records(_request: HttpRequest, token: Token) -> HttpResponse:
    """All of the player's bests in a ZIP with one JSON object, by level."""
    held = Best.objects.filter(level=OuterRef("pk"), player=token.player, board=Board.CONTEST)
    levels = visibility.levels(api_tokens.viewer(token), clock.now()).filter(Exists(held))
    shown = {}
    for level in levels:
        own = {name: _own(level, metric, token) for name, metric in (("blue", Metric.MOVES), ("green", Metric.PUSHES))}
        shown[str(level.pk)] = {name: best for name, best in own.items() if best}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("records.json", json.dumps(shown))
    return HttpResponse(packed.getvalue(), content_type="application/zip")
