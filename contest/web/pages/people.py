"""Pages of the players' achievements: hall of fame, seasons, countries, records, ratings, and player profiles."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import MAIN, League, Player, Season, Track
from contest.rankings import rating_levels, ratings
from contest.rankings.records import of_levels
from contest.stats import hall_of_fame, profiles, records, seasons
from contest.web.shell.request import Request

PER_PAGE = 100
LEVELS_PER_PAGE = 50


@require_safe
def hall_page(request: Request) -> HttpResponse:
    by = request.GET.get("by", "points")
    if by not in hall_of_fame.ORDERS:
        raise Http404(by)
    at, league = clock.now(), _read_league(request)
    track = request.GET.get("track", MAIN)
    tracks = _tracks(request, track, at)
    chosen = _paginate(request, hall_of_fame.hall(request.viewer, at, by=by, league=league, track=track))
    context = {"chosen": chosen, "by": by, "league": league, "track": track, "tracks": tracks}
    return render(request, "contest/rankings/hall.html", context)


@require_safe
def seasons_page(request: Request) -> HttpResponse:
    return render(request, "contest/rankings/seasons.html", {"seasons": seasons.seasons(request.viewer, clock.now())})


@require_safe
def season_page(request: Request, slug: str) -> HttpResponse:
    at, league = clock.now(), _read_league(request)
    track = request.GET.get("track", MAIN)
    others = Exists(visibility.tracks(request.viewer, at).beside_main())
    try:
        season = seasons.by_name(slug)
        of_season = list(seasons.rounds(request.viewer, season, at, track).annotate(has_tracks=others))
        if not of_season:  # on this track
            seasons.season(request.viewer, slug, at)
    except Season.DoesNotExist:
        raise Http404(slug) from None
    # `has_tracks` comes with the rounds and saves the query for tracks on most sites, which have only one.
    is_only_track = track == MAIN and of_season and not vars(of_season[0])["has_tracks"]
    tracks = [] if is_only_track else _tracks(request, track, at)
    rounds = [(round_, round_.phase(at), visibility.title(round_, at)) for round_ in of_season]
    chosen = _paginate(request, seasons.table(request.viewer, season, at, league, track))
    context = {"season": season, "rounds": rounds, "chosen": chosen, "league": league, "is_over": season.ends_at <= at}
    context |= {"track": track, "tracks": tracks}
    return render(request, "contest/rankings/season.html", context)


@require_safe
def countries_page(request: Request) -> HttpResponse:
    return render(
        request, "contest/rankings/countries.html", {"countries": hall_of_fame.countries(request.viewer, clock.now())}
    )


@require_safe
def records_page(request: Request) -> HttpResponse:
    chosen = Paginator(records.levels(request.viewer, clock.now()), LEVELS_PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request, "contest/rankings/records.html", {"chosen": chosen, "records": of_levels(chosen.object_list)}
    )


@require_safe
def ratings_page(request: Request) -> HttpResponse:
    league = _read_league(request)
    context = {"chosen": _paginate(request, ratings.current(league)), "league": league, "levels": rating_levels.LEVELS}
    return render(request, "contest/rankings/ratings.html", context)


@require_safe
def player_page(request: Request, number: int, slug: str = "") -> HttpResponse:
    """Show the player *number*; redirect a wrong slug or a merged player to the canonical URL."""
    at = clock.now()
    try:
        player = profiles.player(request.viewer, number, at)
    except Player.DoesNotExist:
        raise Http404(str(number)) from None
    if (player.pk, player.slug) != (number, slug):
        return redirect(player)
    own = request.viewer.players
    may_meet = bool(own) and player.pk not in own and player.erased_at is None
    context = {
        "profile": profiles.profile(request.viewer, player, at),
        "may_follow": may_meet,
        "mine": min(own) if may_meet else None,
    }
    return render(request, "contest/player/player.html", context)


def _read_league(request: Request) -> League:
    try:
        return League(request.GET.get("league", League.HUMAN))
    except ValueError:
        raise Http404("league") from None


def _tracks(request: Request, chosen: str, at: datetime) -> list[Track]:
    """Return the tracks to choose from, [] if there is only one; raise Http404 if *chosen* is unknown."""
    tracks = list(visibility.tracks(request.viewer, at))
    if chosen != MAIN and chosen not in {track.slug for track in tracks}:
        raise Http404("track")
    return tracks if len(tracks) > 1 else []


def _paginate(request: Request, rows: Sequence[Any]) -> Page[Any]:
    return Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
