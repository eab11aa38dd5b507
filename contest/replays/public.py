"""Public solutions to replay (rules 7.3, 7.6): the best ones of a round, and the facts about one."""

from dataclasses import dataclass
from datetime import datetime

from contest import visibility
from contest.infra.cache import remember
from contest.models import Best, Board, Level, Metric, Round, Submission, Verdict
from contest.rankings import pareto, standings
from contest.rankings.pareto import ALL_TIME, EVERYONE
from contest.visibility import Viewer
from solvers.sokoban.formats import Attempt, Collection, Entry, Kind, sok
from solvers.sokoban.metrics import Metrics, measure
from solvers.sokoban.playback import Playback
from solvers.sokoban.position import Position

# From each ranking this many solutions are offered for comparison, with their ranks.
LISTED = 100


@dataclass(frozen=True)
class Shelf:
    """A level with its Pareto front, fewest moves first: its first and last are the best by moves and by pushes."""

    level: Level
    front: list[Submission]

    @property
    def by_moves(self) -> Submission | None:
        return self.front[0] if self.front else None

    @property
    def by_pushes(self) -> Submission | None:
        return self.front[-1] if self.front else None

    @property
    def other_end(self) -> Submission | None:
        """Return the best by pushes if it differs from the best by moves, for display side by side."""
        return self.front[-1] if len(self.front) > 1 else None


@dataclass(frozen=True)
class Facts:
    """Facts computed from the moves: they are published with the moves, not with the counts (rule 7.6)."""

    metrics: Metrics
    end: Position


@dataclass(frozen=True)
class ComparableSolution:
    """A solution for comparison, and its ranks among the first LISTED of both rankings."""

    best: Best
    by_moves: int | None
    by_pushes: int | None


def waits_for(round_: Round, at: datetime) -> str:
    """Return the event that makes replays public ("close", "final"), "nothing" if none will, or "" if they are."""
    if visibility.are_solutions_public(round_, at):
        return ""
    rules = visibility.settings(round_, at)
    if rules is None or rules.solutions_public == "never" or round_.cancelled_at:
        return "nothing"
    return "close" if rules.solutions_public == "at_close" else "final"


def gallery(viewer: Viewer, round_: Round, at: datetime, league: str) -> list[Shelf]:
    """Return every level of the round with its best solutions; empty before replays are public.

    Two queries, one if no board has changed.
    """
    if not visibility.are_solutions_public(round_, at):
        return []
    levels = list(visibility.levels(viewer, at).filter(round=round_))
    key = "gallery", round_.pk, league, standings.versions(levels)
    fronts = remember(key, lambda: _fronts(round_, league))
    return [Shelf(level, fronts.get(level.pk, [])) for level in levels]


def _fronts(round_: Round, league: str) -> dict[int | None, list[Submission]]:
    counted = Submission.objects.filter(round=round_, level__voided_at=None).counted()
    if league != EVERYONE:
        counted = counted.filter(player__league=league)
    fronts: dict[int | None, list[Submission]] = {}
    for submission in pareto.front(counted.select_related("player").defer(*pareto.UNLISTED)):
        fronts.setdefault(submission.level_id, []).append(submission)
    return fronts


def facts(replay: Submission) -> Facts:
    """Measure a solution in O(moves), once for each text of moves."""
    level = _level_of(replay)

    def make() -> Facts:
        return Facts(measure(replay.lurd), Playback(level.board, replay.lurd)[len(replay.lurd)])

    return remember(("facts of a replay", level.text, replay.lurd), make)


def leaders(replay: Submission) -> list[ComparableSolution]:
    """Return the best solutions on the board of *replay*, fewest moves first. Two queries."""
    level, board = _level_of(replay), _board_of(replay)
    league = standings.league_of(replay.player, replay.round)
    ranks: dict[str, dict[int, int]] = {}
    bests: dict[int, Best] = {}
    for metric in Metric:
        ranked = standings.best_rows(level, metric, league, board).select_related("player")[:LISTED]
        ranks[metric] = {best.submission_id: rank for rank, best in enumerate(ranked, 1)}
        bests |= {best.submission_id: best for best in ranked}
    shown = [
        ComparableSolution(best, ranks[Metric.MOVES].get(number), ranks[Metric.PUSHES].get(number))
        for number, best in bests.items()
    ]
    return sorted(shown, key=lambda replay: replay.best.moves)  # ties in the order of the rankings


def collection(replay: Submission) -> str:
    """Return the level with these moves as .sok text; a spectator answer as an unfinished game (rule 13)."""
    level = _level_of(replay)
    kind = Kind.SAVED_GAME if replay.verdict == Verdict.SPECTATOR else Kind.SOLUTION
    solution = Attempt(
        kind,
        replay.lurd,
        len(replay.lurd),
        replay.pushes or 0,
        notes=f"Notes: {replay.player}",
        metrics=remember(("metrics of a replay", replay.lurd), lambda: measure(replay.lurd)),
    )
    title = level.title or str(level.get_slot_display())
    entry = Entry(1, 0, level.board, title, level.author, attempts=(solution,))
    return sok.write(Collection(f"Round {level.round.number}", entries=(entry,)))


def _level_of(replay: Submission) -> Level:
    if replay.level is None:  # guaranteed by the constraint submission_accepted_has_score
        raise ValueError(f"{replay} solves no level")
    return replay.level


def _board_of(replay: Submission) -> str:
    if replay.is_practice:
        return ALL_TIME
    return Board.SPECTATOR if replay.verdict == Verdict.SPECTATOR else Board.CONTEST
