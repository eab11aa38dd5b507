"""A level's rankings by moves and by pushes, and its Pareto front; live or at a past moment (rules 8, 12)."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock, identity
from contest.models import Board, Level, Metric, Player
from contest.rankings import history, pareto, standings
from contest.vetting import shown
from contest.web.shell import live
from contest.web.shell.request import Request

PER_PAGE = 100
# Most of the viewer's own players for which the neighbouring ranks are shown.
MOST_OWN = 3


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
    """The rank of one of the viewer's own players; *rows* are the neighbours, empty if they are the whole ranking."""

    player: Player
    rank: int
    rows: list[standings.Row]
    needed: standings.NextRank | None
    changes: list[history.RankChange]


@require_safe
def ranking(request: Request, number: int, slot: str, metric: Metric) -> HttpResponseBase:
    level = get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot)
    chosen = _read_choice(request, level)
    part = live.part(live.address_of(request), request.viewer, level.round, clock.now(), level.board_version)
    if unchanged := part.not_modified(request):
        return unchanged
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
        "own": _own_standings(request, chosen, metric, count) if chosen.is_live_contest else [],
        "least": lambda: shown.get_bounds(level, clock.now()),  # Lazy: only the viewer's own standings need it.
        "progress": history.lowering(level, metric, chosen.league) if chosen.is_live_contest else [],
    }
    return part.render(request, "contest/boards/ranking.html", "contest/boards/_ranking_part.html", context)


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


def _own_standings(request: Request, chosen: Choice, metric: Metric, count: int) -> list[OwnStanding]:
    own_ranks = standings.own_ranks(chosen.level, metric, request.viewer.players, league=chosen.league, most=MOST_OWN)
    return [_own_standing(player, rank, chosen, metric, count) for player, rank in own_ranks]


def _own_standing(player: Player, rank: int, chosen: Choice, metric: Metric, count: int) -> OwnStanding:
    rows = standings.rows_around(chosen.level, metric, player, league=chosen.league, rank=rank)
    needed = standings.next_gain(chosen.level, metric, player, rows, league=chosen.league)
    changes = history.rank_changes(chosen.level, metric, player, league=chosen.league)
    return OwnStanding(player, rank, rows if len(rows) < count else [], needed, changes)
