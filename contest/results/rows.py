"""Results document as rows for pages, with the players' current names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from contest import visibility
from contest.infra.cache import remember
from contest.models import Level, Player, Round, Slot
from contest.rankings import standings
from contest.results.document import current, current_bests, live, players_of
from contest.rules import beacons, scoring, tabulation
from contest.rules import lucky_draw as draw
from contest.rules import settings as round_settings
from contest.rules.phases import Phase
from contest.visibility import Viewer

RankedRow = tuple[int, Mapping[str, Any]]  # a rank, and the row of the submission that holds it


def standing(round_: Round, levels: Iterable[Level], at: datetime) -> "Results":
    """Return the current results as rows; built once for each version of the boards of *levels*, all of the round's.

    Publishing results and renaming a player raise the board versions too.
    """
    is_revealed, is_drawn = visibility.is_revealed(round_, at), round_.draws_at <= at
    facts = round_.phase(at), is_revealed, is_drawn, round_.finalised_at, round_.settings

    def make() -> "Results":
        if round_.phase(at) is Phase.FINAL:
            return table(current(round_, at, levels))
        bests = current_bests(round_)
        return table(live(round_, at, levels, bests), (best.player for best in bests))

    return remember(("results and title holders", round_.pk, standings.versions(levels), facts), make)


@dataclass(frozen=True)
class Score:
    """Points for a rank in one ranking of a level; *rank* is None if the player is not in the ranking.

    *moves*, *pushes* and *number* are those of the ranked submission in the document; *replay* is the number of its
    public replay.
    """

    slot: str
    metric: str
    rank: int | None
    half_points: int
    moves: int = 0
    pushes: int = 0
    number: int | None = None
    replay: int | None = None

    @property
    def points(self) -> str:
        return scoring.half_points(self.half_points)

    @property
    def slot_name(self) -> str:
        return str(Slot(self.slot).label)


@dataclass(frozen=True)
class LevelScores:
    """A player's scores by moves and by pushes on one level, which need not give points."""

    moves: Score
    pushes: Score


@dataclass(frozen=True)
class ResultRow:
    """One line of a round's results; points are stored in half points and shown as text.

    *anchor* is the row's unique HTML id: the player's number, for a second name of theirs with the place added.
    """

    place: int
    player: Player
    anchor: str
    by_moves: int
    by_pushes: int
    titles: list[str]
    scores: list[Score]
    levels: list[LevelScores]

    @property
    def move_points(self) -> str:
        return scoring.half_points(self.by_moves)

    @property
    def push_points(self) -> str:
        return scoring.half_points(self.by_pushes)

    @property
    def total(self) -> str:
        return scoring.half_points(self.by_moves + self.by_pushes)


@dataclass(frozen=True)
class DrawRow:
    """Candidate of the draw."""

    index: int
    player: Player
    is_lucky: bool


@dataclass(frozen=True)
class ShownDraw:
    """Draw with everything needed to repeat it (rule 11.11)."""

    round: int
    commitment: str
    number: int
    salt: str
    is_typed: bool
    formula: str
    rows: list[DrawRow]
    index: int | None
    lucky: Player | None
    kept_from: int | None
    beacon: beacons.BeaconShare | None

    @property
    def waits(self) -> bool:
        """Return whether the draw waits for the value of its beacon (rule 11.15)."""
        return self.beacon is not None and self.beacon.value is None

    @property
    def beacon_address(self) -> str:
        return beacons.BEACONS[self.beacon.name].address_of(self.beacon.round) if self.beacon else ""

    @property
    def dividend(self) -> int:
        """Return the dividend: L, or M if public randomness is mixed in (rule 11.14)."""
        mixed = self.beacon and self.beacon.value
        return beacons.mix(self.number, mixed) if mixed else self.number

    @property
    def hash_input(self) -> str:
        return f"{self.round}|{self.number}|{self.salt}"

    @property
    def count(self) -> int:
        return len(self.rows)

    @property
    def quotient(self) -> int:
        """Return how often N goes into the dividend, for the division by hand."""
        return self.dividend // self.count if self.count else 0


@dataclass(frozen=True)
class Leader:
    """First player in a ranking of a level, with or without points, and their result."""

    player: Player
    moves: int
    pushes: int
    number: int


@dataclass(frozen=True)
class Results:
    """Results of a round for display. Champions and lucky player may have no points and so no row.

    *leaders* are by slot and metric.
    """

    title_holders: list[tuple[str, Player]]
    rows: list[ResultRow]
    draw: ShownDraw | None
    revision: int
    leaders: Mapping[tuple[str, str], Leader]

    @property
    def podium(self) -> list[ResultRow]:
        """Return the first three in podium order: the first in the middle."""
        return [self.rows[place] for place in (1, 0, 2) if place < len(self.rows)]

    @property
    def holders_without_row(self) -> list[tuple[str, Player]]:
        """Return titles of players who have no points and so no row."""
        listed = {row.player for row in self.rows}
        return [(title, player) for title, player in self.title_holders if player not in listed]


def with_replays(results: Results, viewer: Viewer, round_: Round, levels: Iterable[Level], at: datetime) -> Results:
    """Return *results* with the public replays of its ranked submissions (rules 7.3, 15.4).

    The replays are queried once for each version of the boards of *levels*, all of the round's.
    """
    named = {
        score.number
        for row in results.rows
        for level in row.levels
        for score in (level.moves, level.pushes)
        if score.number
    }
    # Documents have an imported submission under the number it had at its source.
    is_named = Q(original_number__in=named) | Q(original_number=None, number__in=named)
    watched = visibility.replays(viewer, round_, at).filter(is_named, is_practice=False)
    key = round_.pk, standings.versions(levels), visibility.are_solutions_public(round_, at), sorted(named)
    numbers = remember(("replays of results", *key), lambda: list(watched.values_list("number", "original_number")))
    replays = {original or number: number for number, original in numbers}

    def with_replay(score: Score) -> Score:
        return replace(score, replay=replays.get(score.number or 0))

    rows = [
        replace(
            row,
            scores=[with_replay(score) for score in row.scores],
            levels=[LevelScores(with_replay(level.moves), with_replay(level.pushes)) for level in row.levels],
        )
        for row in results.rows
    ]
    return replace(results, rows=rows)


def table(document: Mapping[str, Any], known: Iterable[Player] = ()) -> Results:
    """Return a document as rows, with the players' current names; before the reveal it names no champion.

    *known* are players whom the caller has read.
    """
    drawn = document["draw"]
    players = players_of(document, known)
    champions = document["champions"]
    titled = [("MMC", champions["moves"]), ("MPC", champions["pushes"])]
    titled += [("second", champions["second"]), ("lucky", drawn["lucky"] if drawn else None)]
    scoring_levels = round_settings.parse(document["settings"]).scoring_levels
    rankings = list(_rankings(document))
    anchors = _anchors((row["place"], players[row["player"]]) for row in document["points"])
    rows = []
    for row in document["points"]:
        scores = [_score(row["player"], *ranking) for ranking in rankings]
        result = ResultRow(
            row["place"],
            players[row["player"]],
            anchors[row["place"]],
            row["move_half_points"],
            row["push_half_points"],
            [title for title, player in titled if player == row["player"]],
            [score for score in scores if score.slot in scoring_levels],
            [LevelScores(*both) for both in zip(scores[::2], scores[1::2], strict=True)],
        )
        rows.append(result)
    held = [(title, players[player]) for title, player in titled if player is not None]
    leaders = {
        (slot, metric): Leader(players[player], row["moves"], row["pushes"], row["number"])
        for slot, metric, held_, _points in rankings
        for player, (rank, row) in held_.items()
        if rank == 1
    }
    return Results(held, rows, _shown_draw(document, players) if drawn else None, document["revision"], leaders)


def _anchors(placed: Iterable[tuple[int, Player]]) -> dict[int, str]:
    """Return the HTML anchor of each row by place; merged names may both be in a final result."""
    anchors: dict[int, str] = {}
    seen: set[int] = set()
    for place, player in placed:
        anchors[place] = f"{player.pk}-{place}" if player.pk in seen else str(player.pk)
        seen.add(player.pk)
    return anchors


def _rankings(document: Mapping[str, Any]) -> Iterable[tuple[str, str, dict[int, RankedRow], Sequence[int]]]:
    """Yield both rankings of every level: slot, metric, ranked rows by player, points by rank (rules 9.4, 16.4).

    Scoring levels come first; the others give no points.
    """
    settings = round_settings.parse(document["settings"])
    row_of = {row["number"]: row for row in document["submissions"]}
    rankings = document["rankings"].get(tabulation.ALL if settings.leagues == "together" else tabulation.HUMAN, {})
    tables = {"moves": settings.move_points, "pushes": settings.push_points}
    for slot in dict.fromkeys([*settings.scoring_levels, *Slot.values]):
        for metric, points in tables.items() if slot in rankings else ():
            rows = [row_of[number] for number in rankings[slot][metric]]
            given = points if slot in settings.scoring_levels else ()
            yield slot, metric, {row["player"]: (rank, row) for rank, row in enumerate(rows, 1)}, given


def _score(player: int, slot: str, metric: str, held: Mapping[int, RankedRow], points: Sequence[int]) -> Score:
    if player not in held:
        return Score(slot, metric, None, 0)
    rank, row = held[player]
    scored = points[rank - 1] if rank <= len(points) else 0
    return Score(slot, metric, rank, scored, row["moves"], row["pushes"], row["number"])


def preview(round_: Round, levels: Iterable[Level], at: datetime) -> Results:
    """Return the points so far, without titles or draw (rule 7.4)."""
    provisional = standing(round_, levels, at)
    return Results([], [replace(row, titles=[]) for row in provisional.rows], None, 0, provisional.leaders)


def names(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the current names of a document's players by number: sent beside the hashed document (rule 15.6)."""
    return {
        str(number): {"name": str(player), "country": player.country, "league": player.league}
        for number, player in sorted(players_of(document).items())
    }


def _shown_draw(document: Mapping[str, Any], players: Mapping[int, Player]) -> ShownDraw:
    drawn = document["draw"]
    candidates = drawn["candidates"]
    rows = [DrawRow(index, players[player], player == drawn["lucky"]) for index, player in enumerate(candidates)]
    shown = ShownDraw(
        document["round"],
        drawn["commitment"],
        drawn["number"],
        drawn["salt"],
        drawn["is_typed"],
        drawn["formula"],
        rows,
        None,
        players.get(drawn["lucky"]),
        drawn["kept_from"],
        beacons.BeaconShare(**drawn["beacon"]) if drawn.get("beacon") else None,
    )
    index = None if shown.waits else draw.lucky_index(shown.dividend, shown.count, shown.formula)
    return replace(shown, index=index)
