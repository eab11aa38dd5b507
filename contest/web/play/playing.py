"""The page to play a level and submit its solution, the endpoint for its script, and the check page."""

from datetime import datetime

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from contest import levels, visibility
from contest.infra import client_ip, clock
from contest.infra.cache import digest
from contest.infra.kept import not_modified
from contest.infra.rate_limits import TRIAL, costs
from contest.levels import daily
from contest.models import Board, Level, Metric, Round, Submission
from contest.rankings import pareto, standings
from contest.rules.phases import Phase
from contest.submissions import Refused, at_once
from contest.submissions.at_once import Trial
from contest.vetting import shown
from contest.web.play import entering
from contest.web.play.forms import CheckForm, EntryForm
from contest.web.play.sending import initial_entry
from contest.web.play.sentences import script_messages
from contest.web.shell.request import Request


@never_cache
@require_safe
def play_page(request: Request, number: int, slot: str) -> HttpResponse:
    """Show the game; without JavaScript, the level as text and the form."""
    at = clock.now()
    of_round = {level.slot: level for level in visibility.levels(request.viewer, at).filter(round__number=number)}
    if slot not in of_round:
        raise Http404
    level = of_round[slot]
    phase = level.round.phase(at)
    is_practice = phase is not Phase.OPEN and visibility.is_revealed(level.round, at)
    # Neither hints nor others' solutions help with a level that is in play elsewhere (rules 3.10, 20.4).
    may_help = is_practice and visibility.studied_levels(at).filter(pk=level.pk).exists()
    known = {**initial_entry(request), "round": number, "slot": slot, "practice": is_practice}
    return render(
        request,
        "contest/play/play.html",
        {
            "level": level,
            "round": level.round,
            "phase": phase,
            "form": EntryForm(initial=known) if phase is Phase.OPEN or is_practice else None,
            "is_practice": is_practice,
            "facts": {
                "sentences": script_messages(),
                "name": str(level),
                "group": str(level.round),
                "beat": entering.race_script() if may_help and visibility.are_solutions_public(level.round, at) else "",
                "hints": reverse("api-hint", args=[number, slot]) if may_help and settings.ASKED_SECONDS else "",
                "numbers": entering.numbers_address(level, is_practice=is_practice),
                "worker": reverse("play-worker") if settings.OFFLINE_PLAY else "",
                "next": entering.next_address(level, of_round),
                "player": known.get("nickname", ""),
                "door": "practice" if is_practice else "contest" if phase is Phase.OPEN else "",
                "closing": _describe_closing(level) if phase is Phase.OPEN else None,
                "daily": daily.day(at).isoformat() if daily.is_of_day(level, at) else "",
            },
            "bests": [(metric, row) for metric in Metric for row in standings.standings(level, metric, limit=1)],
        },
    )


def _describe_closing(level: Level) -> dict[str, str]:
    """Describe what the open page does at the close: practice begins then unless results wait (rules 3.10, 20.1)."""
    closes_at = level.round.closes_at
    return {
        "at": closes_at.isoformat(),
        "door": "practice" if level.round.reveals_at == closes_at else "",
        "numbers": entering.numbers_address(level, is_practice=True),
    }


@cache_control(private=True, no_cache=True)
@require_safe
def numbers_json(request: Request, number: int, slot: str) -> HttpResponseBase:
    """Return all players' counts in both rankings, for the page to preview a rank (rule 7.7); all-time for practice.

    The header X-Closes-At informs pages that were opened before the round was extended.
    """
    level = get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot)
    board = pareto.ALL_TIME if "practice" in request.GET else Board.CONTEST
    least = shown.get_bounds(level, clock.now(), levels.least_pushes(level))
    closes_at = level.round.closes_at.isoformat()
    etag = f'"{digest(("numbers", level.pk, level.board_version, level.round.settings, board, least, closes_at))}"'
    if unchanged := not_modified(request, etag):
        return unchanged
    numbers = {metric.value: standings.numbers(level, metric, board=board) for metric in Metric}
    return JsonResponse({**numbers, "least": least}, headers={"ETag": etag, "X-Closes-At": closes_at})


@costs(TRIAL)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def check_page(request: Request) -> HttpResponse:
    """Judge moves without submitting them. With JavaScript the page judges and sends nothing."""
    at = clock.now()
    status, tried = 200, None
    form = CheckForm(request.POST or None, initial={"board": _requested_board(request, at)})
    if form.is_bound:
        status = 422
        if form.is_valid():
            try:
                tried = _judge_trial(request, form, at)
            except Refused as refusal:
                form.add_error(refusal.field if refusal.field in form.fields else None, refusal.reason)
                status = refusal.status
            else:
                status = 200
    context = {
        "form": form,
        "tried": tried,
        "facts": entering.facts(Round.objects.open(at), request.viewer, at),
    }
    return render(request, "contest/submissions/check.html", context, status=status)


def _judge_trial(request: Request, form: CheckForm, at: datetime) -> Submission:
    address = client_ip.sender_of(request)
    given = form.cleaned_data
    trial = Trial(given["moves"], board=given["board"].strip("\r\n"))
    return at_once.judge(trial, viewer=request.viewer, at=at, address=address)


def _requested_board(request: Request, at: datetime) -> str:
    """Return the board of the level named by `round` and `slot` in the query, "" if none is visible (rule 7.4)."""
    number, slot = request.GET.get("round", ""), request.GET.get("slot", "")
    if not (number.isascii() and number.isdigit() and len(number) < 9):
        return ""
    level = visibility.levels(request.viewer, at).filter(round__number=int(number), slot=slot).first()
    return str(level.board) if level else ""
