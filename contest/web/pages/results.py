"""The results of a round: the page, and the document from which anybody can recompute them (rules 11.11, 14)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import results, visibility
from contest.infra import clock
from contest.models import Player, Round, Snapshot
from contest.replays import practice
from contest.rules import canonical
from contest.visibility import Viewer
from contest.web.shell.request import Request
from contest.wording import notes, settings
from contest.wording.bilingual import in_language


@require_safe
def prizes_page(request: Request, number: int) -> HttpResponse:
    """Show the prizes of a round (rule 14.8)."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    listed = list(visibility.awards(request.viewer, at).filter(round=round_))
    if not listed:
        raise Http404(str(number))
    return render(request, "contest/results/prizes.html", {"round": round_, "listed": listed})


@require_safe
def results_page(request: Request, number: int) -> HttpResponse:
    """Show the current results, an earlier revision, or a preview of the points while the round is open."""
    at = clock.now()
    ruled = Exists(visibility.all_disqualifications(at).filter(round=OuterRef("pk")))
    unranked = visibility.unranked_submissions(at)
    announced: QuerySet[Any] = visibility.rounds(request.viewer, at).annotate(
        has_rulings=ruled, has_unranked=Exists(unranked.filter(round=OuterRef("pk")))
    )
    round_ = get_object_or_404(announced, number=number)
    snapshots = list(_snapshots(request.viewer, round_, at).defer("document"))
    snapshot = _snapshot(request, snapshots)
    levels = list(visibility.levels(request.viewer, at).filter(round=round_))
    is_asked = snapshot is not None and snapshot != snapshots[-1]
    if snapshot and is_asked:
        shown = results.table(snapshot.document)
    elif visibility.may_see_results(round_, at):
        shown = results.standing(round_, levels, at)
    elif visibility.may_preview_points(round_, at):
        shown = results.preview(round_, levels, at)
    else:
        raise Http404
    if visibility.may_see_results(round_, at):
        shown = results.with_replays(shown, request.viewer, round_, levels, at)
    rulings = visibility.disqualifications(round_, at)
    context = {
        "round": round_,
        "phase": round_.phase(at),
        "results": shown,
        "levels": levels,
        "is_asked": is_asked,
        "draw": shown.draw,
        "snapshot": snapshot,
        "reason": in_language(snapshot.reason_zh, snapshot.reason_en) if snapshot else None,
        "revisions": [revision.revision for revision in snapshots],
        "holders": _holders(shown) if snapshot and not is_asked else [],
        "settings": settings.describe(rules, round_.draws_at) if (rules := visibility.settings(round_, at)) else [],
        "is_preview": not snapshot and not visibility.may_see_results(round_, at),
        "unranked": Player.objects.filter(pk__in=unranked.filter(round=round_).values("player")).order_by("nickname")
        if round_.has_unranked
        else [],
        "rulings": [notes.ruling(row) for row in rulings] if round_.has_rulings else [],
    }
    return render(request, "contest/results/results.html", context)


@require_safe
def results_json(request: Request, number: int) -> HttpResponse:
    """Return a final result with its hash (rule 14.3); the players' current names are outside the hashed document."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    snapshots = list(_snapshots(request.viewer, round_, at).defer("document"))
    snapshot = _snapshot(request, snapshots)
    if not snapshot:
        raise Http404
    practice.record_all_seen(request.viewer, round_, at)
    document = results.public(snapshot)
    shown: dict[str, Any] = {
        "round": round_.number,
        "revision": snapshot.revision,
        "made_at": canonical.instant(snapshot.made_at),
        "reason": {"zh": snapshot.reason_zh, "en": snapshot.reason_en},
        "revisions": [revision.revision for revision in snapshots],
        "sha256": snapshot.sha256,
        "is_complete": document == snapshot.document,
        "results": document,
        "players": results.names(snapshot.document),
    }
    return JsonResponse(shown, json_dumps_params={"sort_keys": True, "ensure_ascii": False, "indent": 1})


def _holders(shown: results.Results) -> list[Player]:
    """Return the players with a certificate: those with a place, and title holders without points (rules 9.4, 14.5)."""
    named = [row.player for row in shown.rows] + [player for _title, player in shown.title_holders]
    return [player for player in dict.fromkeys(named) if not player.erased_at]


def _snapshot(request: HttpRequest, snapshots: Sequence[Snapshot]) -> Snapshot | None:
    """Return the revision requested in the URL, by default the newest; None before the round is final."""
    asked = request.GET.get("revision")
    if asked is None:
        return snapshots[-1] if snapshots else None
    found = next((snapshot for snapshot in snapshots if str(snapshot.revision) == asked), None)
    if found is None:
        raise Http404
    return found


def _snapshots(viewer: Viewer, round_: Round, at: datetime) -> QuerySet[Snapshot]:
    return visibility.snapshots(viewer, at).filter(round=round_).order_by("revision")
