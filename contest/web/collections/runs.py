"""Pages of runs (rule 26.4): the modes with their boards, the run itself, and its receipt."""

import json

from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import visibility
from contest.infra import client_ip, clock
from contest.infra.attempts import Attempts
from contest.infra.rate_limits import BOARD, TRIAL, costs
from contest.levels import daily
from contest.levels import runs as dealing
from contest.models import GRADED_SLUG, Run, RunMode
from contest.rankings import runs as boards
from contest.submissions import runs as accepting
from contest.web.play.forms import EntryForm
from contest.web.play.receipts import StoredResult, claim_to_show, is_asked_by_script, send_form
from contest.web.play.sending import initial_entry
from contest.web.play.sentences import script_messages
from contest.web.shell.request import Request

FIRST = 3
RULES = {
    RunMode.MINUTES: _(
        "As many levels as you can in three minutes. Undoing is free. Solve all of them sooner, and your time counts."
    ),
    RunMode.CLEAN: _(
        "As many levels as you can until the first mistake: undoing a push, restarting after one, or a box that can "
        "never reach a goal again. Undoing steps without a push is no mistake. There is no time limit."
    ),
    RunMode.TWENTY: _("Twenty levels, from the easiest to the hardest. Undoing is free; the time counts."),
}


class RunForm(EntryForm):
    """A run with the name of its player; the script fills in all but the name."""

    moves = forms.CharField(strip=True, widget=forms.HiddenInput)
    run_token = forms.CharField(max_length=500, widget=forms.HiddenInput)
    seal = forms.CharField(max_length=500, required=False, widget=forms.HiddenInput)


@never_cache
@require_safe
def modes_page(request: Request) -> HttpResponse:
    """Show the three modes, each with the first rows of the day's board."""
    at = clock.now()
    leaders = boards.leaders(daily.day(at), FIRST)
    collections = visibility.collections(request.viewer, at).values_list("slug", flat=True)
    context = {
        "modes": [(mode, RULES[mode], leaders.get(mode, [])) for mode in RunMode],
        "own_players": request.viewer.players,
        "is_possible": GRADED_SLUG in collections,
        "collections": len(collections),
    }
    return render(request, "contest/runs/modes.html", context)


@costs(TRIAL)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def run_page(request: Request, mode: str) -> HttpResponse:
    """Show the run with its boards, or accept a run that the script has sent."""
    if request.method == "POST":
        return _accept(request, _mode(mode)) if is_asked_by_script(request) else redirect("run", mode)
    chosen, at = _mode(mode), clock.now()
    own = initial_entry(request)
    context = {
        "mode": chosen,
        "rules": RULES[chosen],
        "form": RunForm(initial=own),
        "facts": {
            "sentences": script_messages(),
            "mode": chosen.value,
            "seconds": dealing.MINUTES.seconds if chosen is RunMode.MINUTES else None,
            "player": own.get("nickname", ""),
            "start": reverse("run-start", args=[chosen]),
        },
        "boards": [(_("Today"), boards.board(chosen, daily.day(at))), (_("All time"), boards.board(chosen))],
        "is_possible": dealing.is_possible(at),
        "own_players": request.viewer.players,
    }
    return render(request, "contest/runs/run.html", context)


def _accept(request: Request, mode: RunMode) -> HttpResponse:
    """Accept the run; a refusal returns a seal, with which the same solutions can be sent again later."""
    at = clock.received_at()
    form = RunForm(request.POST)
    begun = dealing.read_token(str(form["run_token"].value() or ""))
    sha256 = accepting.digest_of(str(form["moves"].value() or "").strip())
    arrived_at = dealing.arrived_at(begun, sha256, str(form["seal"].value() or ""), at) if begun else at

    def accept() -> StoredResult:
        started = accepting.read_start(form.cleaned_data["run_token"], mode, at)
        address = client_ip.sender_of(request)
        receipt = accepting.accept(form.entry(), started, arrived_at, viewer=request.viewer, address=address)
        return receipt.run, receipt.claim

    answer = send_form(request, form, accept)
    if begun and isinstance(answer, JsonResponse) and answer.status_code >= 400:
        sealed = {"seal": dealing.seal(begun, sha256, arrived_at)}
        answer.content = json.dumps(json.loads(answer.content) | sealed).encode()
    if not isinstance(answer, HttpResponse):
        raise TypeError("The script is answered in JSON.")
    return answer


@costs(BOARD)
@never_cache
@require_POST
def start(request: Request, mode: str) -> HttpResponse:
    """Start the clock: return the token and all levels of the run."""
    chosen = _mode(mode)
    if not Attempts(request).is_within("run"):
        reason = gettext("Too many runs were started from your network. Please start the next one in an hour.")
        return JsonResponse({"reason": reason}, status=429)
    begun = dealing.start(chosen, clock.now_at_database())
    levels = [{"place": level.place, "text": level.text} for level in dealing.deal(begun)]
    if not levels:
        raise Http404
    return JsonResponse({"token": begun.token, "levels": levels})


@never_cache
@require_safe
def receipt(request: Request, receipt_id: str) -> HttpResponse:
    """Show one run to any client that has the link."""
    try:
        run = visibility.run_by_receipt(receipt_id)
    except Run.DoesNotExist:
        raise Http404 from None
    ranks = {"day": boards.rank(run, run.day), "ever": boards.rank(run)}
    if is_asked_by_script(request):
        return JsonResponse({"solved": run.solved, "seconds": run.seconds, "isRanked": run.is_ranked, **ranks})
    context = {"run": run, "mode": RunMode(run.mode), "ranks": ranks, "claim": claim_to_show(request, receipt_id)}
    return render(request, "contest/runs/receipt.html", context)


def _mode(name: str) -> RunMode:
    try:
        return RunMode(name)
    except ValueError:
        raise Http404(name) from None
