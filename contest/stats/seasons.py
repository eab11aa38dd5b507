"""Seasons: tables of round totals over a named span of final rounds (rules 9.7, 21.1)."""

from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import ExtractYear

from contest import visibility
from contest.infra import identity
from contest.infra.cache import CachedList, CachedTable
from contest.models import MAIN, League, Round, Season
from contest.models.season import YEAR
from contest.stats import totals
from contest.stats.totals import Sums, Tally
from contest.visibility import Viewer

_NEVER = datetime.max.replace(tzinfo=UTC)


def year(number: int) -> Season:
    """Return the season of a calendar year in the site's time zone."""
    zone = identity.zone()
    begins_at, ends_at = (datetime(at, 1, 1, tzinfo=zone) for at in (number, number + 1))
    return Season(slug=str(number), title_zh=f"{number} 年", title_en=str(number), begins_at=begins_at, ends_at=ends_at)


def by_name(slug: str) -> Season:
    """Return the season with this slug, public or not. Raise Season.DoesNotExist."""
    return year(int(slug)) if YEAR.fullmatch(slug) else Season.objects.get(slug=slug)


def season(viewer: Viewer, slug: str, at: datetime) -> Season:
    """Return the season with this slug. Raise Season.DoesNotExist if there is none or none of its rounds is public."""
    season_ = by_name(slug)
    if not rounds(viewer, season_, at).exists():
        raise Season.DoesNotExist
    return season_


def seasons(viewer: Viewer, at: datetime) -> list[Season]:
    """Return all seasons with a public round, latest first."""
    zone = identity.zone()
    closing = visibility.rounds(viewer, at).annotate(year=ExtractYear("closes_at", tzinfo=zone)).order_by()
    years = [year(number) for number in set(closing.values_list("year", flat=True))]
    within = {"closes_at__gte": OuterRef("begins_at"), "closes_at__lt": OuterRef("ends_at")}
    others = Season.objects.filter(Exists(visibility.rounds(viewer, at).filter(**within).order_by()))
    return sorted([*years, *others], key=lambda entry: (entry.begins_at, entry.slug), reverse=True)


def rounds(viewer: Viewer, of: Season, at: datetime, track: str = "") -> QuerySet[Round]:
    """Return the public rounds that close in the season, of one track or of all."""
    rounds_ = visibility.rounds(viewer, at).filter(closes_at__gte=of.begins_at, closes_at__lt=of.ends_at)
    return rounds_.filter(track=track) if track else rounds_


def table(
    viewer: Viewer, of: Season, at: datetime, league: str = League.HUMAN, track: str = MAIN
) -> CachedTable[Any, tuple[int, Tally]]:
    """Return the players with their sums over the season's final rounds of a track; full ties share the place.

    Computed once for each version of the final rounds.
    """
    placings = visibility.placings(viewer, at).filter(
        league=league, round__track=track, round__closes_at__gte=of.begins_at, round__closes_at__lt=of.ends_at
    )
    key = ("season", of.begins_at, of.ends_at, league, track, totals.version(at))
    return CachedTable(CachedList(key, lambda: totals.rank(totals.sums(placings), _key)), totals.of_ranked)


def _key(sums: Sums) -> tuple[Any, ...]:
    """Rule 21.1: more points, more first places by moves, then by pushes, then the earlier first point."""
    firsts = -sums["firsts_by_moves"], -sums["firsts_by_pushes"]
    return -sums["half_points"], *firsts, sums["first_point_at"] or _NEVER
