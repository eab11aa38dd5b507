"""What players have gathered: their pages, the hall of fame, seasons; and their tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings

from contest.api.objects.kinds import (
    COUNT,
    INTEGER,
    LEAGUE,
    NUMBER,
    SLOT,
    TEXT,
    TIME,
    TITLE,
    Member,
    Shape,
    inside,
    list_members,
    many,
    maybe,
    one_of,
)
from contest.api.objects.rankings import PLAYER
from contest.models import Rating, Scope, Season, Submission, Token
from contest.rankings.records import Place
from contest.stats.profiles import Profile
from contest.stats.totals import RoundResult, Tally


class RankedPlayer(NamedTuple):
    """A line of the hall of fame or of a season."""

    rank: int
    tally: Tally


@dataclass(frozen=True)
class Hall:
    """A part of the hall of fame."""

    by: str
    league: str
    track: str
    count: int
    results: Sequence[RankedPlayer]


@dataclass(frozen=True)
class SeasonTable:
    """A season with a part of its table; *rounds* are numbers."""

    season: Season
    rounds: Sequence[int]
    league: str
    track: str
    count: int
    results: Sequence[RankedPlayer]


# Points in half points, which add up exactly (rule 9.3).
_SUMS: list[Member[Tally]] = [
    Member("player", PLAYER),
    *(
        Member(name, COUNT)
        for name in ("rounds", "half_points", "mmc", "mpc", "second", "lucky", "firsts_by_moves", "firsts_by_pushes")
    ),
    Member("first", INTEGER, words="First round with a place."),
    Member("last", INTEGER),
]
TALLY = Shape[RankedPlayer]("Tally", "A player's sums.", [Member("rank", INTEGER), *inside("tally", _SUMS)])
_ENTERED = Shape[RoundResult]("", "A final round the player entered.", [
    Member("round", INTEGER, lambda one: one.placing.round.number),
    Member("place", maybe(INTEGER), lambda one: one.placing.place),
    Member("half_points", COUNT, lambda one: one.placing.total),
    Member("titles", many(TITLE)),
])  # fmt: skip
_PLACE = Shape[Place]("", "Ranks on a level.", [
    Member("round", INTEGER, lambda place: place.level.round.number),
    Member("slot", SLOT, lambda place: place.level.slot),
    Member("rank_by_moves", INTEGER, lambda place: place.by_moves),
    Member("rank_by_pushes", INTEGER, lambda place: place.by_pushes),
])  # fmt: skip
_HOLDING = Shape[Submission]("", "A point of a Pareto front that the player holds.", [
    Member("round", maybe(INTEGER), lambda row: row.level.round.number if row.level else None),
    Member("slot", maybe(SLOT), lambda row: row.level.slot if row.level else None),
    Member("number", INTEGER),
    Member("moves", maybe(COUNT)),
    Member("pushes", maybe(COUNT)),
])  # fmt: skip
_RATING = Shape[Rating]("", "OpenSkill.", [Member("mu", NUMBER), Member("sigma", NUMBER)])
PROFILE = Shape[Profile]("Profile", "A player's page.", [
    *inside("player", PLAYER.members),
    Member("total", maybe(Shape("", "Sums over final rounds.", _SUMS)), lambda profile: profile.tally),
    Member("rating", maybe(_RATING), lambda profile: profile.newest_rating),
    Member("rounds", many(_ENTERED)),
    Member("best_levels", many(_PLACE), lambda profile: profile.best),
    Member("pareto", many(_HOLDING), lambda profile: profile.holdings),
])  # fmt: skip
HALL = Shape[Hall]("Hall", "The hall of fame.", [
    Member("by", TEXT),
    Member("league", LEAGUE),
    Member("track", TEXT),
    *list_members(TALLY),
])  # fmt: skip
_SEASON: list[Member[Season]] = [
    Member("season", TEXT, lambda season: season.slug),
    Member("title", TEXT, str),
    Member("begins_at", TIME),
    Member("ends_at", TIME),
]
SEASON = Shape("Season", "A season.", _SEASON)
SEASONS = Shape[Sequence[Season]]("Seasons", "The seasons, latest first.", [
    Member("count", COUNT, len, "How many rows there are in all."),
    Member("results", many(SEASON), lambda seasons: seasons),
])  # fmt: skip
WHOLE_SEASON = Shape[SeasonTable]("WholeSeason", "A season and its table.", [
    *inside("season", _SEASON),
    Member("rounds", many(INTEGER)),
    Member("league", LEAGUE),
    Member("track", TEXT),
    *list_members(TALLY),
])  # fmt: skip


def _scopes(token: Token) -> list[Any]:
    return [scope for scope in token.scopes if scope in Scope.values]  # one was dropped


# Its secret is nobody's to read again.
TOKEN = Shape[Token]("Token", "What a token is.", [
    Member("id", TEXT, lambda token: token.public_id),
    Member("name", TEXT),
    Member("player", PLAYER),
    Member("archive_number", INTEGER, lambda token: token.player.archive_number,
           "What archives call the player, and sealed texts."),
    Member("scopes", many(one_of(*Scope.values)), _scopes),
    Member("created_at", TIME),
    Member("expires_at", maybe(TIME)),
    Member("last_used_at", maybe(TIME)),
    Member("per_minute", COUNT,
           lambda token: settings.TOKEN_PER_MINUTE if token.per_minute is None else token.per_minute),
])  # fmt: skip
GATHERED = (PROFILE, TALLY, HALL, SEASON, SEASONS, WHOLE_SEASON, TOKEN)
