"""Watch public solutions (rules 7.3, 7.6, 15.4): the gallery, a replay, its downloads, its embeddable frame."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.html import format_html
from django.utils.http import quote_etag
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from contest import replays, visibility
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import Submission
from contest.rankings import standings
from contest.replays import ComparableSolution, Facts, practice
from contest.vetting import coaching
from contest.visibility import Viewer
from contest.web.shell.framing import allow_framing
from contest.web.shell.request import Request

# Longest solution printed in the page, for readers without JavaScript; a longer one is a download.
MAX_PRINTED_MOVES = 10_000
# In the order of `_column`.
_NAMES = (_("Moves"), _("Pushes"), _("Box lines"), _("Box changes"), _("Pushing sessions"), _("Player lines"))
LARGEST_NUMBER = 2**63 - 1


@require_safe
def replays_page(request: Request, number: int) -> HttpResponse:
    """Show the gallery; before replays are public, show when they will be."""
    at = clock.now()
    round_ = get_object_or_404(visibility.rounds(request.viewer, at), number=number)
    league = request.GET.get("league", standings.default_league(round_))
    if league not in standings.LEAGUES:
        raise Http404(league)
    context = {
        "round": round_,
        "phase": round_.phase(at),
        "waits_for": replays.waits_for(round_, at),
        "shelves": replays.gallery(request.viewer, round_, at, league),
        "league": league,
        "leagues": standings.LEAGUES,
    }
    return render(request, "contest/replays/replays.html", context)


@require_safe
def replay_page(request: Request, number: int, submission: int) -> HttpResponse:
    """Show one solution, or two of the same level side by side (`?with=`)."""
    at = clock.now()
    try:
        replay = _replay(request.viewer, number, submission, at)
    except Http404:
        result = submission <= LARGEST_NUMBER and visibility.withheld_result(request.viewer, at, number, submission)
        if result:
            return render(request, "contest/replays/withheld.html", {"result": result}, status=404)
        raise
    practice.record_seen(request.viewer, replay, at)
    other = _other(request, replay, at)
    listed = replays.leaders(replay)
    shown = [replay, other] if other else [replay]
    facts = [replays.facts(solution) for solution in shown]
    context = {
        **_replay_context(replay),
        "other": other,
        "shown": shown,
        "facts": facts[0],
        "may_coach": other is None and may_coach(replay),
        "numbers": _numbers(list(zip(shown, facts, strict=True)), listed),
        "listed": listed,
        "is_written_out": len(replay.lurd) <= MAX_PRINTED_MOVES,
        "may_race": replay.is_accepted and bool(replay.lurd),
        "frame": _frame(replay, request.build_absolute_uri(reverse("embed-replay", args=[number, submission]))),
    }
    return render(request, "contest/replays/replay.html", context)


@require_safe
def replay_text(request: Request, number: int, submission: int) -> HttpResponseBase:
    """Download the moves."""
    return _file(request, number, submission, lambda replay: replay.lurd)


@require_safe
def replay_sok(request: Request, number: int, submission: int) -> HttpResponseBase:
    """Download the level with the solution."""
    return _file(request, number, submission, replays.collection)


@allow_framing
def embed(request: Request, number: int, submission: int) -> HttpResponse:
    """Show the replay with few controls, for a frame on other sites."""
    replay = _replay(Viewer(), number, submission, clock.now())
    return render(
        request,
        "contest/embed/replay.html",
        {**_replay_context(replay), "full_page": reverse("replay", args=[number, submission])},
    )


def _replay(viewer: Viewer, number: int, submission: int, at: datetime) -> Submission:
    """Return the replay; raise the same Http404 for hidden and unknown ones (rule 7.5)."""
    round_ = get_object_or_404(visibility.rounds(viewer, at), number=number)
    if submission > LARGEST_NUMBER:
        raise Http404
    return get_object_or_404(visibility.replays(viewer, round_, at), number=submission)


def may_coach(replay: Submission) -> bool:
    """Return whether the coach takes the solution *replay*."""
    level = replay.level
    return level is not None and replay.is_accepted and coaching.is_available(level.board, replay.lurd)


def _other(request: Request, replay: Submission, at: datetime) -> Submission | None:
    """Return the solution of the same level that `?with=` names, or None without it."""
    asked = request.GET.get("with", "")
    if not asked:
        return None
    among = visibility.replays(request.viewer, replay.round, at).filter(level=replay.level).exclude(lurd="")
    return get_object_or_404(among, number=whole_number(asked))


def _frame(replay: Submission, address: str) -> SafeString:
    """Return the HTML that embeds the replay in another site."""
    title = f"{replay.player}: {replay.moves} / {replay.pushes}"
    return format_html('<iframe src="{}" width="480" height="420" title="{}"></iframe>', address, title)


def _replay_context(replay: Submission) -> dict[str, object]:
    return {
        "replay": replay,
        "level": replay.level,
        "round": replay.round,
        "phase": replay.round.phase(clock.now()),
    }


def _numbers(
    shown: Sequence[tuple[Submission, Facts]], listed: Iterable[ComparableSolution]
) -> list[tuple[str, str, str]]:
    """Return rows of name, first count, second count; with one solution, both counts are the same."""
    known = {solution.best.submission_id: solution for solution in listed}
    columns = [_column(replay, facts, known.get(replay.number)) for replay, facts in shown]
    rows = zip(*columns, strict=True)
    return [(name, own[0], own[-1]) for name, own in zip(map(str, _NAMES), rows, strict=True)]


def _column(replay: Submission, facts: Facts, place: ComparableSolution | None) -> list[str]:
    by_moves, by_pushes = (place.by_moves, place.by_pushes) if place else (None, None)
    found = facts.metrics
    counts = (_with_rank(replay.moves, by_moves), _with_rank(replay.pushes, by_pushes))
    return [*counts, *map(str, (found.box_lines, found.box_changes, found.push_runs, found.player_lines))]


def _with_rank(count: int | None, rank: int | None) -> str:
    return f"{count} (#{rank})" if rank else f"{count}"


def _file(request: Request, number: int, submission: int, text_of: Callable[[Submission], str]) -> HttpResponseBase:
    """Serve a file with an ETag; clients must revalidate because a replay may be withdrawn."""
    at = clock.now()
    replay = _replay(request.viewer, number, submission, at)
    practice.record_seen(request.viewer, replay, at)
    text = text_of(replay)
    etag = quote_etag(sha256(text.encode()).hexdigest())
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(text, content_type="text/plain; charset=utf-8")
        response.headers["ETag"] = etag
    patch_cache_control(response, public=True, no_cache=True)
    return response
