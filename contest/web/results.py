"""The results of a round: the page, and the document anybody can recompute it from (rules 11.11, 14)."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import clock, note_words, practice, records, results, setting_words, visibility
from contest.models import Round, Snapshot
from contest.reasons import chosen
from contest.visibility import Viewer
from contest.web.views import Request


@require_safe
def results_page(request: Request, number: int) -> HttpResponse:
    """The results that stand, a revision of them, or while the round is open the points as they would be."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    snapshot = _snapshot(request, request.viewer, round_, at)
    if snapshot:
        shown = results.shown(snapshot.document)
    elif visibility.may_see_results(round_, at):
        shown = results.shown(results.live(round_, at))
    elif visibility.may_preview_points(round_, at):
        shown = results.preview(round_, at)
    else:
        raise Http404
    words = {
        "round": round_,
        "phase": round_.phase(at),
        "results": shown,
        "draw": shown.draw,
        "snapshot": snapshot,
        "reason": chosen(snapshot.reason_zh, snapshot.reason_en) if snapshot else None,
        "revisions": list(_snapshots(request.viewer, round_, at).values_list("revision", flat=True)),
        "settings": setting_words.described(rules) if (rules := visibility.settings(round_, at)) else [],
        "is_preview": not snapshot and not visibility.may_see_results(round_, at),
        "rulings": [note_words.ruling(row) for row in visibility.disqualifications(round_, at)],
    }
    return render(request, "contest/results.html", words)


@require_safe
def results_json(request: Request, number: int) -> HttpResponse:
    """Rule 14.3: a final result with its hash; the players' present names stand beside it."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    snapshot = _snapshot(request, request.viewer, round_, at)
    if not snapshot:
        raise Http404
    practice.note_all_seen(request.viewer, round_, at)
    document = results.public(snapshot)
    shown: dict[str, Any] = {
        "round": round_.number,
        "revision": snapshot.revision,
        "made_at": records.instant(snapshot.made_at),
        "reason": {"zh": snapshot.reason_zh, "en": snapshot.reason_en},
        "revisions": list(_snapshots(request.viewer, round_, at).values_list("revision", flat=True)),
        "sha256": snapshot.sha256,
        "is_complete": document == snapshot.document,
        "results": document,
        "players": results.names(snapshot.document),
    }
    return JsonResponse(shown, json_dumps_params={"sort_keys": True, "ensure_ascii": False, "indent": 1})


def _snapshot(request: HttpRequest, viewer: Viewer, round_: Round, at: datetime) -> Snapshot | None:
    """The revision that the address asks for, by default the newest; None before the round is final."""
    snapshots = _snapshots(viewer, round_, at)
    asked = request.GET.get("revision")
    if asked is None:
        return snapshots.last()
    if not (asked.isascii() and asked.isdigit() and len(asked) < 9):
        raise Http404
    return get_object_or_404(snapshots, revision=int(asked))


def _snapshots(viewer: Viewer, round_: Round, at: datetime) -> QuerySet[Snapshot]:
    return visibility.snapshots(viewer, at).filter(round=round_).order_by("revision")
