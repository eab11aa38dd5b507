"""Comparison of two players: rounds both entered and levels both solved (rules 8.4, 9.3), from public data."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from contest import visibility
from contest.models import Best, Board, Level, Metric, Placing, Player, Round
from contest.rankings import sort_keys
from contest.rules.scoring import half_points
from contest.visibility import Viewer

RIVALS = 8


@dataclass(frozen=True)
class Score:
    """Number of times the one was better, the other was better, and both were equal."""

    one: int = 0
    other: int = 0
    equal: int = 0

    def plus(self, difference: int) -> "Score":
        """Return the score with one more meeting; *difference* is above 0 if the one was better."""
        return Score(self.one + (difference > 0), self.other + (difference < 0), self.equal + (difference == 0))


@dataclass(frozen=True)
class RoundMeeting:
    """A final round that both players entered."""

    round: Round
    one: Placing
    other: Placing

    @property
    def difference(self) -> int:
        return self.one.total - self.other.total

    @property
    def points(self) -> tuple[str, str]:
        return half_points(self.one.total), half_points(self.other.total)


@dataclass(frozen=True)
class LevelMeeting:
    """A contest level that both players solved, by one metric."""

    level: Level
    one: Best
    other: Best

    @property
    def difference(self) -> int:
        return sort_keys.difference(self.one, self.other)


@dataclass(frozen=True)
class Comparison:
    one: Player
    other: Player
    rounds: list[RoundMeeting]
    levels: list[tuple[Level, LevelMeeting, LevelMeeting]]
    courses: tuple[list[Placing], list[Placing]]
    by_points: Score
    by_moves: Score
    by_pushes: Score

    @property
    def has_courses(self) -> bool:
        """Return whether a chart has a line to draw: one of the players entered two rounds."""
        return any(len(course) > 1 for course in self.courses)


@dataclass(frozen=True)
class Rival:
    """A player who entered the same rounds; *score* compares their points."""

    player: Player
    rounds: int
    score: Score


def compare(viewer: Viewer, player: Player, other_player: Player, at: datetime) -> Comparison:
    """Return all rounds and levels that two players have in common. Two queries."""
    both = visibility.placings(viewer, at).of(player, other_player).standing()
    placings = both.select_related("round").order_by("round__number")
    courses: tuple[list[Placing], list[Placing]] = [], []
    for placing in placings:
        courses[placing.entrant == other_player.pk].append(placing)
    of_other = {placing.round_id: placing for placing in courses[1]}
    rounds = [
        RoundMeeting(placing.round, placing, of_other[placing.round_id])
        for placing in reversed(courses[0])
        if placing.round_id in of_other
    ]
    levels = _levels(viewer, player, other_player, at)
    by_points, by_moves, by_pushes = Score(), Score(), Score()
    for meeting in rounds:
        by_points = by_points.plus(meeting.difference)
    for _level, moves, pushes in levels:
        by_moves, by_pushes = by_moves.plus(moves.difference), by_pushes.plus(pushes.difference)
    return Comparison(player, other_player, rounds, levels, courses, by_points, by_moves, by_pushes)


def _levels(
    viewer: Viewer, player: Player, other_player: Player, at: datetime
) -> list[tuple[Level, LevelMeeting, LevelMeeting]]:
    public = visibility.levels(viewer, at).filter(voided_at=None)
    bests = Best.objects.filter(player__in=[player, other_player], board=Board.CONTEST, level__in=public)
    held: dict[Level, dict[tuple[int, str], Best]] = defaultdict(dict)
    for best in bests.select_related("level__round").defer("level__solution", "level__text"):
        held[best.level][best.player_id, best.metric] = best
    met = [
        (
            level,
            _meet(level, of, player, other_player, Metric.MOVES),
            _meet(level, of, player, other_player, Metric.PUSHES),
        )
        for level, of in held.items()
        if len(of) == 2 * len(Metric)
    ]
    return sorted(met, key=lambda row: (-row[0].round.number, row[0].slot_order))


def _meet(
    level: Level, of: dict[tuple[int, str], Best], player: Player, other_player: Player, metric: str
) -> LevelMeeting:
    return LevelMeeting(level, of[player.pk, metric], of[other_player.pk, metric])


def rivals(viewer: Viewer, player: Player, at: datetime) -> list[Rival]:
    """Return the players whom *player* met in most final rounds, in the same league. Two queries."""
    own: dict[int, int] = {}
    others: dict[int, dict[int, int]] = defaultdict(dict)
    placings = visibility.placings(viewer, at).order_by()
    entered = placings.of(player).values("round")
    met = placings.standing().filter(round__in=entered, league=player.league)
    rows = met.values_list("round", "entrant", "move_half_points", "push_half_points")
    for round_, entrant, by_moves, by_pushes in rows:
        (own if entrant == player.pk else others[entrant])[round_] = by_moves + by_pushes
    most = sorted(others, key=lambda pk: (-len(others[pk]), pk))[:RIVALS]
    players = Player.objects.defer("email", "claim_sha256").in_bulk(most)
    return [Rival(players[pk], len(others[pk]), _score(own, others[pk])) for pk in most]


def _score(own: dict[int, int], other: dict[int, int]) -> Score:
    score = Score()
    for round_, points in other.items():
        score = score.plus(own.get(round_, 0) - points)
    return score
