"""A level's page, its rankings by moves and by pushes, and its Pareto front; live or at a past moment (rules 8, 12)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contest import levels, visibility
from contest.infra import client_ip, clock, identity, rate_limits
from contest.levels import optima
from contest.models import Board, Level, Metric, Player, Submission
from contest.outreach.community import subjects, votes
from contest.rankings import history, pareto, standings, tops
from contest.vetting import shown
from contest.web.shell import live
from contest.web.shell.request import Request

PER_PAGE = 100
FIRST_OF_LEVEL = 10
# Most of the viewer's own players for which the neighbouring ranks are shown.
MOST_OWN = 3
SUBMISSIONS_PER_PASS = 2_000  # a past ranking of so many takes as long as a page


@dataclass(frozen=True)
class Choice:
    """The requested ranking; *moment* is a past instant, *trouble* an error message for an invalid *asked* time."""

    level: Level
    league: str
    board: str
    asked: str = ""
    moment: datetime | None = None
    trouble: str = ""

    @property
    def boards(self) -> list[str]:
        return standings.boards(self.level)

    @property
    def leagues(self) -> tuple[str, ...]:
        return standings.LEAGUES

    @property
    def is_live_contest(self) -> bool:
        return self.board == Board.CONTEST and self.moment is None

    @property
    def is_default(self) -> bool:
        """Return True for the default ranking, the only one for which the browser remembers ranks between visits."""
        return self.is_live_contest and self.league == standings.default_league(self.level.round)

    def rows(self, metric: Metric, start: int) -> list[standings.Row]:
        if self.moment:
            return history.standings_at(
                self.level, metric, self.moment, league=self.league, start=start, limit=PER_PAGE
            )
        return standings.standings(
            self.level, metric, league=self.league, board=self.board, start=start, limit=PER_PAGE
        )

    def count(self, metric: Metric) -> int:
        if self.moment:
            return history.count_at(self.level, metric, self.moment, league=self.league)
        return standings.count(self.level, metric, league=self.league, board=self.board)


@dataclass(frozen=True)
class OwnStanding:
    """The rank of one of the viewer's own players, with the neighbouring *rows*."""

    choice: Choice
    metric: Metric
    player: Player
    rank: int
    rows: list[standings.Row]
    needed: standings.NextRank | None

    @property
    def changes(self) -> list[history.RankChange]:
        return history.rank_changes(self.choice.level, self.metric, self.player, league=self.choice.league)

    @property
    def row(self) -> standings.Row:
        return next(row for row in self.rows if row.player == self.player)


@require_safe
def level_page(request: Request, number: int, slot: str) -> HttpResponseBase:
    at = clock.now()
    public = visibility.levels(request.viewer, at)
    if "part" not in request.GET:
        public = with_talk_and_study(public, request.viewer, at)
    return render_level(request, get_object_or_404(public, round__number=number, slot=slot), at)


def with_talk_and_study(shown_levels: QuerySet[Level], viewer: visibility.Viewer, at: datetime) -> QuerySet[Any]:
    """Annotate levels with the data of their page outside the polled part."""
    return subjects.with_talk(optima.with_certificates(shown.with_study(shown_levels, at)), viewer, at)


def render_level(request: Request, level: Level, at: datetime) -> HttpResponseBase:
    """Render the page of *level*, a row of `with_talk_and_study`, or its part; the desk previews drafts with it."""
    part = live.part(request.path, request.viewer, level.round, at, level.board_version)
    if unchanged := part.not_modified(request):
        return unchanged
    in_round = Choice(level, standings.default_league(level.round), Board.CONTEST)
    # After the reveal the page's own rankings are those of all time, practice and programs included (rule 20.1).
    is_revealed = visibility.is_revealed(level.round, at)
    everything = Choice(level, pareto.EVERYONE, pareto.ALL_TIME) if is_revealed else in_round
    rankings = [LevelRanking(metric, everything, request.viewer) for metric in Metric]
    context = {
        "level": level,
        "round": level.round,
        "phase": level.round.phase(at),
        "choice": everything,
        "is_revealed": is_revealed,
        "rankings": rankings,
        "in_round": [LevelRanking(metric, in_round, request.viewer) for metric in Metric] if is_revealed else rankings,
        "own_places": [own for ranking in rankings for own in ranking.own],
        "points": lambda: pareto.points(level, everything.league, everything.board),  # Lazy: the part does not show it.
        "others": lambda: pareto.others(level, everything.league, everything.board),
        "least": lambda: shown.get_bounds(level, at, levels.least_pushes(level)),
        "counts": lambda: _level_counts(rankings, level, at),
        "means": lambda: votes.mean_votes(level),
        "program": lambda: shown.get_facts(level, at, _fewest(rankings)),
        "certificates": lambda: optima.of_level(level, at),
        "are_replays_public": visibility.are_solutions_public(level.round, at),
    }
    return part.render(request, "contest/level/level.html", "contest/level/_level_part.html", context)


@dataclass(frozen=True)
class LevelRanking:
    """One ranking on the level's page: its first rows, and those around the viewer's own players."""

    metric: Metric
    choice: Choice
    viewer: visibility.Viewer

    @cached_property
    def count(self) -> int:
        is_complete = len(self._first) < FIRST_OF_LEVEL
        return len(self._first) if is_complete else self.choice.count(self.metric)

    @cached_property
    def own(self) -> list[OwnStanding]:
        return _own_standings(self.viewer, self.choice, self.metric)

    @cached_property
    def rows(self) -> list[standings.Row]:
        around = [row for own in self.own for row in own.rows]
        return sorted({row.rank: row for row in [*around, *self._first]}.values(), key=lambda row: row.rank)

    @cached_property
    def _first(self) -> list[standings.Row]:
        if self.choice.board == pareto.ALL_TIME:
            return standings.all_time(self.choice.level, self.metric)[:FIRST_OF_LEVEL]
        return tops.first_rows(self.choice.level, self.metric, FIRST_OF_LEVEL)


@dataclass(frozen=True)
class LevelCount:
    """The fewest known moves or pushes of a level, and how many a solution needs at least, as far as is public."""

    metric: Metric
    best: int | None
    least: int
    is_optimal: bool


def _level_counts(rankings: list[LevelRanking], level: Level, at: datetime) -> list[LevelCount]:
    fewest, least = _fewest(rankings), shown.get_bounds(level, at, levels.least_pushes(level))
    facts = shown.get_facts(level, at, fewest)
    proved = {fact.metric: fact for fact in facts.both} if facts else {}
    return [
        LevelCount(metric, proved[metric].best, least[metric], proved[metric].is_optimal)
        if proved
        else LevelCount(metric, fewest.get(metric), least[metric], is_optimal=False)
        for metric in Metric
    ]


def _fewest(rankings: list[LevelRanking]) -> dict[str, int]:
    """Return the fewest moves and pushes of the rankings."""
    return {ranking.metric: getattr(ranking.rows[0], ranking.metric) for ranking in rankings if ranking.rows}


@require_safe
def ranking(request: Request, number: int, slot: str, metric: Metric) -> HttpResponseBase:
    level = get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot)
    chosen = _read_choice(request, level)
    part = live.part(live.address_of(request), request.viewer, level.round, clock.now(), level.board_version)
    if unchanged := part.not_modified(request):
        return unchanged
    if chosen.moment:
        _count_past(request, level)
    count = chosen.count(metric)
    page = Paginator(range(count), PER_PAGE).get_page(request.GET.get("page"))
    rows = chosen.rows(metric, max(0, page.start_index() - 1))
    context = {
        **_level_context(level),
        "metric": metric,
        "choice": chosen,
        "page": page,
        "rows": rows,
        "visits": f"{metric}-{level.pk}" if chosen.is_default else "",
        "own": _own_standings(request.viewer, chosen, metric) if chosen.is_live_contest else [],
        "least": lambda: shown.get_bounds(
            level, clock.now(), levels.least_pushes(level)
        ),  # Lazy: only the viewer's own standings need it.
        "progress": history.lowering(level, metric, chosen.league) if chosen.is_live_contest else [],
    }
    return part.render(request, "contest/boards/ranking.html", "contest/boards/_ranking_part.html", context)


def _count_past(request: Request, level: Level) -> None:
    """Count the submissions of a past ranking against the client's address (rule 5.9). Raise Busy."""
    sent = Submission.objects.filter(level=level).order_by().count()
    rate_limits.pass_door(rate_limits.LISTS, client_ip.sender_of(request), amount=1 + sent // SUBMISSIONS_PER_PASS)


@require_safe
def front(request: Request, number: int, slot: str) -> HttpResponse:
    level = get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot)
    league = _read_league(request, level)
    context = {
        **_level_context(level),
        "choice": Choice(level, league, Board.CONTEST),
        "points": pareto.points(level, league),
        "others": pareto.others(level, league),
        "own_players": request.viewer.players,
    }
    return render(request, "contest/boards/pareto.html", context)


def _level_context(level: Level) -> dict[str, object]:
    return {"level": level, "round": level.round, "phase": level.round.phase(clock.now())}


def _read_choice(request: Request, level: Level) -> Choice:
    """Parse the requested ranking; raise Http404 for an unknown league or board."""
    board = request.GET.get("board", Board.CONTEST.value)
    asked = request.GET.get("at", "") if board == Board.CONTEST else ""
    moment, trouble = None, ""
    if asked:
        try:
            moment = datetime.fromisoformat(asked)
            # Rule 3.5: a time without a zone is in the site's zone.
            moment = moment if moment.tzinfo else moment.replace(tzinfo=identity.zone())
            moment.astimezone(identity.zone()), moment.astimezone(UTC)  # Both must be in datetime's range.
        except (ValueError, OverflowError):
            moment, trouble = None, _("This is not a valid time. Use the format 2026-11-21 20:00.")
    chosen = Choice(level, _read_league(request, level), board, asked, moment, trouble)
    if board not in chosen.boards:
        raise Http404(board)
    return chosen


def _read_league(request: Request, level: Level) -> str:
    league = request.GET.get("league", standings.default_league(level.round))
    if league not in standings.LEAGUES:
        raise Http404(league)
    return league


def _own_standings(viewer: visibility.Viewer, chosen: Choice, metric: Metric) -> list[OwnStanding]:
    own_ranks = standings.own_ranks(
        chosen.level, metric, viewer.players, league=chosen.league, board=chosen.board, most=MOST_OWN
    )
    return [_own_standing(player, rank, chosen, metric) for player, rank in own_ranks]


def _own_standing(player: Player, rank: int, chosen: Choice, metric: Metric) -> OwnStanding:
    ranking: dict[str, Any] = {"league": chosen.league, "board": chosen.board}
    rows = standings.rows_around(chosen.level, metric, player, rank=rank, **ranking)
    needed = standings.next_gain(chosen.level, metric, player, rows, **ranking)
    return OwnStanding(chosen, metric, player, rank, rows, needed)
