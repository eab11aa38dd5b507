"""Submit a solution on the web, and show its receipt."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import players, submissions, visibility
from contest.infra import client_ip, clock
from contest.models import Door, Player, Round, Submission
from contest.models.round import RoundQuerySet
from contest.rankings import history, standings
from contest.results import unranked
from contest.rounds import insiders, testers
from contest.submissions import Refused
from contest.web.play import coaching, entering
from contest.web.play.forms import EntryForm
from contest.web.play.receipts import (
    StoredResult,
    claim_to_show,
    is_asked_by_script,
    proof_of,
    send_form,
    with_retry,
)
from contest.web.shell.request import Request
from contest.wording import verdicts


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: Request) -> HttpResponse:
    at = clock.now()
    announced = visibility.rounds(request.viewer, at)
    status, retry_after = 200, None
    form = EntryForm(request.POST) if request.method == "POST" else EntryForm(initial=initial_entry(request))
    if form.is_bound:
        answer = send_form(request, form, lambda: _accept(request, form))
        if isinstance(answer, HttpResponse):
            return answer
        status, retry_after = answer
    running = list(announced.open(at))
    next_ = _next_round(announced, at)
    practised = _practice_round(form, announced, at)
    context = {
        "form": form,
        "running": running,
        "next": next_,
        "practised": practised,
        "facts": entering.facts([practised] if practised else running, request.viewer, at, is_practice=bool(practised)),
    }
    return with_retry(render(request, "contest/submissions/submit.html", context, status=status), retry_after)


@never_cache
@require_safe
def receipt(request: Request, receipt_id: str) -> HttpResponse:
    """Show the submission to any client with the link (rule 7.5). The page polls until there is a verdict."""
    try:
        submission = visibility.by_receipt(receipt_id)
        if submission.is_pending and "wait" in request.GET:
            submission = _wait_for_verdict(submission)
    except Submission.DoesNotExist:
        raise Http404 from None
    context = _describe_verdict(request, submission)
    if is_asked_by_script(request):
        return JsonResponse(_verdict_for_script(context))
    if "fragment" in request.GET:
        return render(request, "contest/submissions/_verdict.html", context)
    # While pending, the page will be requested once more with the verdict, and must show the secret then too.
    context["claim"] = claim_to_show(request, submission.receipt_id, again=submission.is_pending)
    context["proof"] = proof_of(submission)
    return render(request, "contest/submissions/receipt.html", context)


def _describe_verdict(request: Request, submission: Submission) -> dict[str, Any]:
    ranks = standings.ranks(submission) if submission.is_accepted else {}
    is_ranked = any(ranks.values())
    cause = None if is_ranked else unranked.explain(submission)
    return {
        "submission": submission,
        "ranks": ranks,
        "has_better": not (is_ranked or cause),
        "before": _ranks_before(submission, ranks),
        "unranked": cause,
        "unranked_because": _unranked_because(request, submission),
        "is_own": bool(submission.turned) and request.viewer.owns(submission),  # Needed only if there is an offer.
        "next_url": _next_url(request, submission),
        "coach_url": coaching.coach_url(request, submission),
        "race": _race(request, submission),
    }


def _race(request: Request, submission: Submission) -> str:
    """Return the name of the viewer's *submission* in links to beat it; "" if its moves are hidden or help others."""
    level = submission.level
    if level is None or not submission.is_accepted or submission.is_unpublished:
        return ""
    may_race = visibility.may_race(level, clock.now()) and request.viewer.owns(submission)
    return f"{submission.round.number}-{submission.number}" if may_race else ""


def _verdict_for_script(context: Mapping[str, Any]) -> dict[str, object]:
    """Return the verdict that the game shows on the board; ranks are null where the player has a better result."""
    submission: Submission = context["submission"]
    if submission.is_pending:
        return {"isPending": True}
    return {
        "isAccepted": submission.is_scored,
        "sentence": verdicts.describe_verdict(submission),
        "ranks": context["ranks"],
        "before": context["before"],
        "coach": context["coach_url"],
        "unranked": _unranked_sentence(context),
    }


def _unranked_sentence(context: Mapping[str, Any]) -> str:
    cause = context["unranked"]
    return f"{cause.sentence} {cause.reason.text}".strip() if cause else ""


@never_cache
@require_POST
def send_offer(request: Request, receipt_id: str) -> HttpResponse:
    """Submit a receipt's offer, received now (rules 6.9, 6.10, 13.4). The link alone does not prove the nickname."""
    try:
        submission = visibility.by_receipt(receipt_id)
    except Submission.DoesNotExist:
        raise Http404 from None
    offered = submissions.entry_of_offer(submission, request.POST.get("claim", "").strip())
    if offered is None:
        raise Http404
    try:
        address = client_ip.sender_of(request)
        return redirect(submissions.accept(offered, door=Door.WEB, viewer=request.viewer, address=address).submission)
    except Refused as refusal:
        is_own = request.viewer.owns(submission)
        context = {"submission": submission, "ranks": {}, "refused": refusal.reason, "is_own": is_own}
        return render(request, "contest/submissions/receipt.html", context, status=refusal.status)


def _next_url(request: Request, submission: Submission) -> str:
    """Return the URL to play the level after the submission's own, "" after the last one the viewer may see."""
    if submission.level is None:
        return ""
    levels = visibility.levels(request.viewer, clock.now()).filter(round=submission.round_id)
    return entering.next_address(submission.level, set(levels.values_list("slot", flat=True)))


def _unranked_because(request: Request, submission: Submission) -> list[str]:
    """Return why the viewer's own submission is hors concours (rules 4.10, 4.14, 4.15); the link alone hides it."""
    round_, player, viewer = submission.round, submission.player, request.viewer
    if not (submission.is_hors_concours and viewer.owns(submission)):
        return []
    if known := insiders.list_insiders(round_, player, viewer):
        return [insider.message for insider in known]
    if testers.is_tester(round_, player, viewer):
        return [_("You tested this round before it opened.")]
    return [_("You are an organiser.")] if players.is_organiser(player, viewer) else []


def _ranks_before(submission: Submission, ranks: Mapping[str, int | None]) -> dict[str, int | None]:
    """Return the player's previous ranks that *submission* changed; empty for practice."""
    ranked_metrics = [] if submission.is_practice else [metric for metric, rank in ranks.items() if rank]
    before = history.ranks_before(submission, ranked_metrics)
    return {metric: rank for metric, rank in before.items() if rank != ranks[metric]}


def _accept(request: Request, form: EntryForm) -> StoredResult:
    address = client_ip.sender_of(request)
    receipt_ = submissions.accept(form.entry(), door=Door.WEB, viewer=request.viewer, address=address)
    return receipt_.submission, receipt_.claim


def _next_round(announced: RoundQuerySet, at: datetime) -> Round | None:
    """Return the round that opens next, or None."""
    return announced.filter(opens_at__gt=at).exclude(cancelled_at__lte=at).order_by("opens_at", "number").first()


def initial_entry(request: Request) -> dict[str, object]:
    """Return the form's initial data: the viewer's player that submitted last, and the level in the query."""
    known = {name: request.GET[name] for name in ("round", "slot", "practice") if name in request.GET}
    own_players = Player.objects.filter(pk__in=request.viewer.players, merged_into=None)
    player = own_players.order_by("-submissions__number").first() if request.viewer.players else None
    return {"nickname": player.nickname, "country": player.country, **known} if player else {**known}


def _practice_round(form: EntryForm, announced: QuerySet[Round], at: datetime) -> Round | None:
    """Return the revealed round of a practice form, else None (rule 20.1)."""
    number = str(form["round"].value() or "")
    if not form["practice"].value() or not (number.isascii() and number.isdigit() and len(number) < 9):
        return None
    round_ = announced.filter(number=int(number)).first()
    return round_ if round_ and visibility.is_revealed(round_, at) else None


def _wait_for_verdict(submission: Submission) -> Submission:
    """Wait RECEIPT_WAIT_SECONDS for a worker, then judge here: bounds the wait (docs/explanation/judging.md)."""
    submission = submissions.wait_for_verdict(submission, settings.RECEIPT_WAIT_SECONDS)
    if submission.is_pending:
        submissions.judge_now(submission)
        submission = visibility.by_receipt(submission.receipt_id)
    return submission
