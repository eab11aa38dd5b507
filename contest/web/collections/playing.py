"""The page to play a level of a collection and submit its solution."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from contest import visibility
from contest.infra import client_ip, clock
from contest.infra.cache import digest
from contest.infra.kept import not_modified
from contest.levels import daily
from contest.models import CollectedLevel, LevelResult, Metric
from contest.rankings import collected
from contest.submissions import at_once
from contest.web.collections.views import level_or_404
from contest.web.play import coaching, entering, offline
from contest.web.play.forms import EntryForm
from contest.web.play.receipts import StoredResult, claim_to_show, is_asked_by_script, send_form, with_retry
from contest.web.play.sending import initial_entry
from contest.web.play.sentences import script_messages
from contest.web.shell.request import Request

# Longer solutions do not fit into a link (beat/link.js has the same limit).
LONGEST_RACE = 6_000


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_page(request: Request, slug: str, place: int) -> HttpResponse:
    """Show the game, or judge a posted solution immediately. Without JavaScript: the level as text, and a form."""
    level = level_or_404(request, slug, place)
    status, retry_after = 200, None
    form = EntryForm(request.POST) if request.method == "POST" else EntryForm(initial=initial_entry(request))
    if form.is_bound:
        answer = send_form(request, form, lambda: _accept_solution(request, form, level))
        if isinstance(answer, HttpResponse):
            return answer
        status, retry_after = answer
    context = _page_context(level, form, initial_entry(request).get("nickname", ""))
    page = render(request, "contest/collections/play.html", context, status=status)
    return with_retry(page, retry_after)


def _accept_solution(request: Request, form: EntryForm, level: CollectedLevel) -> StoredResult:
    accepted = at_once.accept_collected(
        form.entry(), level, viewer=request.viewer, address=client_ip.sender_of(request)
    )
    return accepted.result, accepted.claim


def _page_context(level: CollectedLevel, form: EntryForm, own_nickname: object) -> dict[str, object]:
    at = clock.now()
    here = reverse("collected-play", args=[level.collection.slug, level.place])
    after = level.place + 1 if level.place < level.collection.count else None
    return {
        "level": level,
        "collection": level.collection,
        "form": form,
        "send_to": here,
        "is_practice": False,
        "before": level.place - 1 or None,
        "after": after,
        "facts": {
            "sentences": script_messages(),
            "name": f"{level.collection} · {level}",
            "group": str(level.collection),
            "numbers": reverse("collected-numbers", args=[level.collection.slug, level.place]),
            "worker": reverse("play-worker") if settings.OFFLINE_PLAY else "",
            "set": offline.describe_set(level.collection, level.place),
            "daily": daily.day(at).isoformat() if daily.is_of_day(level, at) else "",
            "next": reverse("collected-play", args=[level.collection.slug, after]) if after else "",
            "player": own_nickname,
            "door": "library",
            "beat": entering.race_script(),
        },
        "bests": [(metric, row) for metric in Metric for row in collected.ranking(level, metric, 1)],
    }


@cache_control(private=True, no_cache=True)
@require_safe
def numbers_json(request: Request, slug: str, place: int) -> HttpResponseBase:
    """Return all players' counts in both rankings; the page previews a rank from them (rule 7.7)."""
    level = level_or_404(request, slug, place)
    numbers: dict[str, Any] = {metric.value: collected.numbers(level, metric) for metric in Metric}
    numbers["least"] = {"moves": level.least_moves or 1, "pushes": level.least_pushes or 1}
    etag = f'"{digest(("collected numbers", level.pk, numbers))}"'
    return not_modified(request, etag) or JsonResponse(numbers, headers={"ETag": etag})


@never_cache
@require_safe
def receipt(request: Request, receipt_id: str) -> HttpResponse:
    """Show one result and its moves to any client that has the link."""
    try:
        result = visibility.result_by_receipt(receipt_id)
    except LevelResult.DoesNotExist:
        raise Http404 from None
    level = result.level
    if is_asked_by_script(request):
        return JsonResponse(_verdict_for_script(result) | {"coach": coaching.coach_url(request, result)})
    context = {
        "result": result,
        "level": level,
        "collection": level.collection,
        "proved": _proved_counts(result, level),
        "ranks": [(metric, collected.rank(result, metric)) for metric in Metric],
        "after": level.place + 1 if level.place < level.collection.count else None,
        "claim": claim_to_show(request, receipt_id),
        "coach_url": coaching.coach_url(request, result),
        "may_race": len(result.lurd) <= LONGEST_RACE,
    }
    return render(request, "contest/collections/receipt.html", context)


def _verdict_for_script(result: LevelResult) -> dict[str, object]:
    """Return the verdict that the game shows on the board, as for a round's submission."""
    ranks = {metric.value: collected.rank(result, metric) for metric in Metric}
    return {"isAccepted": True, "sentence": "", "ranks": ranks, "before": {}, "unranked": ""}


def _proved_counts(result: LevelResult, level: CollectedLevel) -> str:
    """Return which counts of *result* are proved optimal: "both", the name of a metric, or ""."""
    least = [metric.value for metric in Metric if getattr(result, metric) == getattr(level, f"least_{metric}")]
    return "both" if len(least) == len(Metric) else "".join(least)
