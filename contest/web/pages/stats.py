"""Statistics of a round and of all rounds."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import Placing, Round
from contest.rules.settings import RoundSettings
from contest.stats import all_rounds, statistics, visitors
from contest.web.shell.request import Request
from contest.wording import settings as wording


@require_safe
def round_stats(request: Request, number: int) -> HttpResponse:
    at = clock.now()
    round_ = get_object_or_404(visibility.opened_rounds(request.viewer, at), number=number)
    context = {"round": round_, "phase": round_.phase(at), "title": visibility.title(round_, at)}
    return render(
        request,
        "contest/round/round_stats.html",
        {**context, "figures": statistics.of_round(request.viewer, round_, at)},
    )


@require_safe
def stats(request: Request) -> HttpResponse:
    at = clock.now()
    context = {"figures": all_rounds.of_site(request.viewer, at), "visitors": visitors.of_site(at)}
    return render(request, "contest/rankings/stats.html", context)


@require_safe
def history(request: Request) -> HttpResponse:
    """Show the rounds year by year: their figures, their champions, and changes of the rules between rounds."""
    at = clock.now()
    figures = all_rounds.of_site(request.viewer, at)
    own = [line.round for year in figures.years for line in year.rounds]
    champions: dict[int, list[Placing]] = {}
    titled = visibility.placings(request.viewer, at).filter(Q(is_mmc=True) | Q(is_mpc=True), round__in=own)
    for placing in titled.select_related("player").order_by("-is_mmc", "place", "pk"):
        champions.setdefault(placing.round_id, []).append(placing)
    changed = _changed_formats(reversed(own), at)
    years = [
        {
            "figures": year,
            "rounds": [(line, champions.get(line.round.pk, [])) for line in year.rounds],
            "formats": [(line.round, new) for line in reversed(year.rounds) if (new := changed[line.round.pk])],
        }
        for year in figures.years
    ]
    return render(request, "contest/rankings/history.html", {"years": years})


def _changed_formats(rounds: Iterable[Round], at: datetime) -> dict[int, list[tuple[str, str, str]]]:
    """Return, by key, how the settings of each of *rounds* (earliest first) differ from the previous round's.

    Compare rounds of the same track; compare a track's first round with the default settings (rule 17).
    """
    before: dict[object, RoundSettings] = {}
    found = {}
    for round_ in rounds:
        own = replace(visibility.settings(round_, at) or RoundSettings(), not_known_solvable=())
        earlier = before.get(round_.track_id, RoundSettings())
        found[round_.pk] = wording.changes(earlier.as_json(), own.as_json())
        before[round_.track_id] = own
    return found
