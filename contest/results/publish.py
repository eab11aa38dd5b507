"""The results of a round: previewed, finalised, revised (rule 14). `reckoning` computes them; nobody types them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contest import visibility
from contest.infra.cache import cached
from contest.judging.judge import ENGINE_VERSION
from contest.models import (
    Best,
    Board,
    Disqualification,
    Level,
    LuckyNumber,
    Note,
    Placing,
    Player,
    Round,
    Slot,
    Snapshot,
    State,
    Submission,
)
from contest.rankings import ratings, standings
from contest.rounds import lucky_number as lucky
from contest.rules import lucky_draw as draw
from contest.rules import scoring, tabulation
from contest.rules import settings as round_settings
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from contest.rules.tabulation import Lucky, Published, Result
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.visibility import Viewer
from contest.wording.bilingual import Reason

# A submission received in the last instant may still be on its way into the table (rule 3.4).
SETTLES = timedelta(minutes=1)
Document = dict[str, Any]
Held = tuple[int, Mapping[str, Any]]  # a rank, and the row of the submission that holds it


def live(round_: Round, at: datetime, levels: Iterable[Level] | None = None) -> Document:
    """The results as they would be now, without anybody's moves (rules 8.7, 14.1); the draw from the reveal on.

    A cancelled round has no points, titles or draw (rule 7.10). Who has its *levels* at hand gives them all.
    """
    if round_.phase(at) is Phase.CANCELLED:
        return _document(round_, 0, None, bests=[], levels=levels)
    number = visibility.lucky_number(round_, at)
    return _document(round_, 0, _lucky(round_, number) if number else None, levels=levels)


def current(round_: Round, at: datetime, levels: Iterable[Level] | None = None) -> Document:
    """What stands: of a final round its newest revision, else the live results."""
    if round_.phase(at) is Phase.FINAL and (snapshot := round_.snapshots.order_by("-revision").first()):
        published: Document = snapshot.document
        return published
    return live(round_, at, levels)


def standing(round_: Round, levels: Iterable[Level], at: datetime) -> "Results":
    """What stands, as rows; made once for each version of the boards of *levels*, all that the round has.

    Publishing results and changing a player's name raise the versions too.
    """
    is_revealed = visibility.is_revealed(round_, at)
    facts = round_.phase(at), is_revealed, round_.finalised_at, round_.settings
    return cached(
        ("results and leaders", round_.pk, standings.versions(levels), facts),
        lambda: shown(current(round_, at, levels)),
    )


def obstacles(round_: Round, at: datetime) -> list[str]:
    """Why the round cannot be finalised at *at*, in words; none when it can (rule 14.2)."""
    phase = round_.phase(at)
    if phase is Phase.FINAL or round_.finalised_at:
        return [_("The round is final already.")]
    if phase is not Phase.CLOSED:
        return [_("Only a closed round becomes final.")]
    found = []
    if at < round_.reveals_at:
        found.append(_("The reveal waits after an outage."))
    elif at < round_.reveals_at + SETTLES:
        found.append(_("The round closed less than a minute ago: what was received last may still be on its way."))
    entered = Submission.objects.filter(round=round_).entered()
    if pending := entered.waiting().count():
        found.append(
            ngettext("%(count)s submission is not judged yet.", "%(count)s submissions are not judged yet.", pending)
            % {"count": pending}
        )
    if held := entered.filter(state=State.QUARANTINED).count():
        found.append(
            ngettext("%(count)s submission is held for staff.", "%(count)s submissions are held for staff.", held)
            % {"count": held}
        )
    if round_settings.of(round_.settings).lucky and not lucky.is_as_committed(round_):
        found.append(_("The lucky number does not match its commitment."))
    return found


@transaction.atomic
def finalise(round_: Round, *, at: datetime, by: Actor) -> Snapshot:
    """Freeze the results and publish them (rules 14.2, 14.3); refuse with every reason there is."""
    round_ = _held(round_)
    if found := obstacles(round_, at):
        raise ValidationError(found)
    round_.finalised_at = at
    round_.save(update_fields=["finalised_at"])
    snapshot = _publish(round_, 1, _revealed(round_), None, at)
    audit_log.record(by, "finalise", round_, after={"revision": 1, "sha256": snapshot.sha256})
    return snapshot


@transaction.atomic
def revise(round_: Round, reason: Reason, *, at: datetime, by: Actor) -> Snapshot:
    """Publish the results anew after rulings on a final round; old revisions stay (rules 14.4, 14.5)."""
    round_ = _held(round_)
    last = round_.snapshots.order_by("-revision").first()
    if round_.phase(at) is not Phase.FINAL or last is None:
        raise ValidationError(_("Only final results are revised."))
    waiting = Submission.objects.filter(round=round_).entered().waiting().count()
    if waiting:
        raise ValidationError(_("Submissions of the round are being judged; wait until that is done."))
    snapshot = _publish(round_, last.revision + 1, _lucky_after(round_, last), reason, at)
    Note.objects.create(
        round=round_,
        kind=Note.Kind.REVISED,
        text_zh=reason.zh,
        text_en=reason.en,
        values={"revision": snapshot.revision},
        written_at=at,
    )
    audit_log.record(
        by,
        "revise",
        round_,
        reason=str(reason),
        before={"revision": last.revision, "sha256": last.sha256},
        after={"revision": snapshot.revision, "sha256": snapshot.sha256},
    )
    return snapshot


def would_be(round_: Round, last: Snapshot) -> Document:
    """The document that a revision would publish now, with the revision of *last* and without anybody's moves."""
    return _document(round_, last.revision, _lucky_after(round_, last))


def _held(round_: Round) -> Round:
    """The round as it is now, with its levels, so that nobody rules on a board while it is read."""
    round_ = Round.objects.select_for_update().get(pk=round_.pk)
    list(Level.objects.select_for_update().filter(round=round_).order_by("pk"))
    return round_


@transaction.atomic
def adopt(
    round_: Round,
    revision: int,
    *,
    finalised_at: datetime,
    made_at: datetime,
    reason: Reason | None = None,
    kept: int | None = None,
    kept_from: int | None = None,
) -> Snapshot:
    """Publish the results of an imported round that was final where it comes from, computed here (rule 3.3).

    *kept* is the lucky player whom a revision kept there (rule 14.5).
    """
    round_.finalised_at = finalised_at
    round_.save(update_fields=["finalised_at"])
    drawn = _revealed(round_)
    return _publish(round_, revision, drawn and replace(drawn, kept=kept, kept_from=kept_from), reason, made_at)


def _publish(round_: Round, revision: int, drawn: Lucky | None, reason: Reason | None, at: datetime) -> Snapshot:
    published = _document(round_, revision, drawn, with_moves=True)
    snapshot = Snapshot.objects.create(
        round=round_,
        revision=revision,
        made_at=at,
        reason_zh=reason.zh if reason else "",
        reason_en=reason.en if reason else "",
        document=published,
        sha256=tabulation.digest(published),
    )
    Placing.objects.filter(round=round_).delete()
    Placing.objects.bulk_create(_placings(round_, published))
    round_.levels.update(board_version=F("board_version") + 1)
    round_.tabulated_version = round_.levels.aggregate(version=Sum("board_version"))["version"]
    round_.save(update_fields=["tabulated_version"])
    ratings.update(round_)
    return snapshot


def _document(
    round_: Round,
    revision: int,
    drawn: Lucky | None,
    *,
    with_moves: bool = False,
    bests: list[Best] | None = None,
    levels: Iterable[Level] | None = None,
) -> Document:
    settings = round_settings.of(round_.settings)
    bests = _bests(round_, with_moves=with_moves) if bests is None else bests
    reckoned = tabulation.reckon(settings, _results(bests), drawn)
    lurds = _lurds(settings, bests) if with_moves else {}
    facts = Published(
        round_.number, revision, ENGINE_VERSION, _levels(round_.levels.all() if levels is None else levels), lurds
    )
    return tabulation.document(settings, reckoned, drawn, facts)


def _bests(round_: Round, *, with_moves: bool = False) -> list[Best]:
    """The best rows of the levels that are not void (rule 2.10), in one reading with the moves they may need."""
    bests = Best.objects.filter(level__round=round_, level__voided_at=None, board=Board.CONTEST)
    left_out = ["submission__text", "submission__turned", "level__solution"]
    if not with_moves:
        left_out.append("submission__lurd")
    return list(bests.select_related("level", "player", "submission").defer(*left_out))


def _results(bests: Iterable[Best]) -> Iterable[Result]:
    """Every player's bests (rules 1.7, 8.3), one that is best in both only once; players go by their random number."""
    return {
        Result(
            best.submission.original_number or best.submission_id,
            best.player.archive_number,
            best.league,
            best.level.slot,
            best.moves,
            best.pushes,
            best.received_at,
        )
        for best in bests
    }


def _levels(levels: Iterable[Level]) -> list[dict[str, Any]]:
    found = sorted(levels, key=lambda level: Slot.values.index(level.slot))
    return [{"slot": level.slot, "sha256": level.sha256, "void": level.voided_at is not None} for level in found]


def _lurds(settings: RoundSettings, bests: Iterable[Best]) -> dict[int, str]:
    """The moves of all ranked submissions, as far as they are ever public (rules 7.3, 14.3, 15.4)."""
    if settings.solutions_public == "never":
        return {}
    ranked = {best.submission for best in bests}
    return {one.original_number or one.pk: one.lurd for one in ranked if not one.is_unpublished}


def _revealed(round_: Round) -> Lucky | None:
    """The number of a round that is about to be final; None where the round draws nobody."""
    if not round_settings.of(round_.settings).lucky:
        return None
    return _lucky(round_, LuckyNumber.objects.get(round=round_))


def _lucky(round_: Round, number: LuckyNumber) -> Lucky:
    return Lucky(round_.commitment, number.number, number.salt, number.is_typed)


def _lucky_after(round_: Round, last: Snapshot) -> Lucky | None:
    """Rule 14.5: who was drawn stays, unless disqualified or a champion now, or unless the round draws again.

    Where nobody had been drawn, for want of candidates, the draw is made over those there are now.
    """
    drawn = _revealed(round_)
    before = last.document["draw"]
    if (
        drawn is None
        or before is None
        or before["lucky"] is None
        or round_settings.of(round_.settings).lucky_on_revision == "redraw"
    ):
        return drawn
    lucky_player = Player.objects.select_related("merged_into").get(archive_number=before["lucky"])
    lucky_player = lucky_player.merged_into or lucky_player
    reckoned = tabulation.reckon(round_settings.of(round_.settings), _results(_bests(round_)))
    is_disqualified = Disqualification.objects.standing().filter(round=round_, player=lucky_player).exists()
    if is_disqualified or lucky_player.archive_number in reckoned.champions.seats:
        return drawn
    return Lucky(
        drawn.commitment,
        drawn.number,
        drawn.salt,
        drawn.is_typed,
        kept=lucky_player.archive_number,
        kept_from=before["kept_from"] or last.revision,
    )


def _placings(round_: Round, published: Mapping[str, Any]) -> Iterable[Placing]:
    """One row for each player the results name (rule 21): place, points, first places, titles."""
    points = {row["player"]: row for row in published["points"]}
    league_of = {row["player"]: row["league"] for row in published["submissions"]}
    firsts = {metric: _firsts(published, metric) for metric in ("moves", "pushes")}
    champions, drawn = published["champions"], published["draw"] or {"lucky": None}
    for number, player in _players(published).items():
        scored = points.get(number, {})
        yield Placing(
            round=round_,
            player=player,
            league=league_of.get(number, player.league),
            place=scored.get("place"),
            move_half_points=scored.get("move_half_points", 0),
            push_half_points=scored.get("push_half_points", 0),
            firsts_by_moves=firsts["moves"].count(number),
            firsts_by_pushes=firsts["pushes"].count(number),
            is_mmc=number == champions["moves"],
            is_mpc=number == champions["pushes"],
            is_second=number == champions["second"],
            is_lucky=number == drawn["lucky"],
        )


def _firsts(published: Mapping[str, Any], metric: str) -> list[int]:
    """Who is first on the levels that score, in the ranking that gives points (rules 16.4, 21.1)."""
    player_of = {row["number"]: row["player"] for row in published["submissions"]}
    rankings = published["rankings"]
    ranked = rankings.get(tabulation.ALL) or rankings.get(tabulation.HUMAN, {})
    scoring = published["settings"]["scoring_levels"]
    return [player_of[ranked[slot][metric][0]] for slot in scoring if slot in ranked]


# What is shown of it


def public(snapshot: Snapshot) -> Document:
    """A published document without the moves that were withheld since, whatever it said when made (rule 15.4)."""
    withheld = set(_withheld(snapshot.round))
    rows = [{**row, "lurd": None} if row["number"] in withheld else row for row in snapshot.document["submissions"]]
    return {**snapshot.document, "submissions": rows}


def _withheld(round_: Round) -> Iterable[int]:
    rows = Submission.objects.filter(round=round_, is_unpublished=True).values_list("original_number", "number")
    return (original or number for original, number in rows)


# Rows for pages


@dataclass(frozen=True)
class Score:
    """What a rank in one ranking of a level gave; *rank* is None for who stands in it not at all.

    *moves* and *pushes* are those of the submission that holds the rank, *number* the one it has in the document; its
    *replay* is the number under which it can be watched.
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
    """A player on one level: what holds their rank by moves, and by pushes. Not every level need give points."""

    moves: Score
    pushes: Score


@dataclass(frozen=True)
class ResultRow:
    """One line of a round's results; points as text in the reader's hands, kept in half points.

    *anchor* is its own on the page: the player's number, and of a second name of theirs its place besides.
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

    @property
    def moves_replay(self) -> int | None:
        return self._replay("moves")

    @property
    def pushes_replay(self) -> int | None:
        return self._replay("pushes")

    def _replay(self, metric: str) -> int | None:
        """The one solution that the points of *metric* come from; None where they are a sum over several levels."""
        held = [score for score in self.scores if score.metric == metric]
        return held[0].replay if len(held) == 1 else None


@dataclass(frozen=True)
class DrawRow:
    """One candidate of the draw."""

    index: int
    player: Player
    is_lucky: bool


@dataclass(frozen=True)
class ShownDraw:
    """Rule 11.11: the draw, with everything to do it again."""

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

    @property
    def hashed(self) -> str:
        return f"{self.round}|{self.number}|{self.salt}"

    @property
    def count(self) -> int:
        return len(self.rows)

    @property
    def quotient(self) -> int:
        """How often N goes into L, for the division by hand."""
        return self.number // self.count if self.count else 0


@dataclass(frozen=True)
class Leader:
    """Who is first in a ranking of a level, points or none, and with what."""

    player: Player
    moves: int
    pushes: int
    number: int


@dataclass(frozen=True)
class Results:
    """The results of a round, ready to show. Champions and lucky player may hold no points and so no row.

    *leaders* are by slot and metric.
    """

    titled: list[tuple[str, Player]]
    rows: list[ResultRow]
    draw: ShownDraw | None
    revision: int
    leaders: Mapping[tuple[str, str], Leader]

    @property
    def podium(self) -> list[ResultRow]:
        """The first three as they stand on one: the first in the middle."""
        return [self.rows[place] for place in (1, 0, 2) if place < len(self.rows)]

    @property
    def unlisted(self) -> list[tuple[str, Player]]:
        """The titles of those who hold no points and so no row."""
        listed = {row.player for row in self.rows}
        return [(title, player) for title, player in self.titled if player not in listed]


def with_replays(found: Results, viewer: Viewer, round_: Round, levels: Iterable[Level], at: datetime) -> Results:
    """The same, with the replays that everybody may watch now beside the ranks they hold (rules 7.3, 15.4).

    Which these are is asked once for each version of the boards of *levels*, all that the round has.
    """
    named = {
        score.number
        for row in found.rows
        for level in row.levels
        for score in (level.moves, level.pushes)
        if score.number
    }
    # An imported submission stands in documents by the number it had where it comes from.
    in_it = Q(original_number__in=named) | Q(original_number=None, number__in=named)
    watched = visibility.replays(viewer, round_, at).filter(in_it, is_practice=False)
    key = round_.pk, standings.versions(levels), visibility.are_solutions_public(round_, at), sorted(named)
    numbers = cached(("replays of results", *key), lambda: list(watched.values_list("number", "original_number")))
    replays = {original or number: number for number, original in numbers}

    def watched_(score: Score) -> Score:
        return replace(score, replay=replays.get(score.number or 0))

    rows = [
        replace(
            row,
            scores=[watched_(score) for score in row.scores],
            levels=[LevelScores(watched_(level.moves), watched_(level.pushes)) for level in row.levels],
        )
        for row in found.rows
    ]
    return replace(found, rows=rows)


def shown(document: Mapping[str, Any]) -> Results:
    """A document as rows, with the players by their present names; before the reveal it names no champion."""
    drawn = document["draw"]
    players = _players(document)
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
    """Where links to a row lead, by its place: two names that became one player stand in a final result still."""
    found: dict[int, str] = {}
    seen: set[int] = set()
    for place, player in placed:
        found[place] = f"{player.pk}-{place}" if player.pk in seen else str(player.pk)
        seen.add(player.pk)
    return found


def _rankings(document: Mapping[str, Any]) -> Iterable[tuple[str, str, dict[int, Held], Sequence[int]]]:
    """Both rankings of every level: its slot, the metric, who holds which rank, the points of each (rules 9.4, 16.4).

    The levels that score come first; the others give none.
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


def _score(player: int, slot: str, metric: str, held: Mapping[int, Held], points: Sequence[int]) -> Score:
    if player not in held:
        return Score(slot, metric, None, 0)
    rank, row = held[player]
    scored = points[rank - 1] if rank <= len(points) else 0
    return Score(slot, metric, rank, scored, row["moves"], row["pushes"], row["number"])


def preview(round_: Round, levels: Iterable[Level], at: datetime) -> Results:
    """Points as they would be now, without titles or draw (rule 7.4)."""
    found = standing(round_, levels, at)
    return Results([], [replace(row, titles=[]) for row in found.rows], None, 0, found.leaders)


def names(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The players of a document by number, as they are called now: beside what is hashed, never in it (rule 15.6)."""
    return {
        str(number): {"name": str(player), "country": player.country, "league": player.league}
        for number, player in sorted(_players(document).items())
    }


def _shown_draw(document: Mapping[str, Any], players: Mapping[int, Player]) -> ShownDraw:
    drawn = document["draw"]
    candidates = drawn["candidates"]
    rows = [DrawRow(index, players[player], player == drawn["lucky"]) for index, player in enumerate(candidates)]
    return ShownDraw(
        document["round"],
        drawn["commitment"],
        drawn["number"],
        drawn["salt"],
        drawn["is_typed"],
        drawn["formula"],
        rows,
        draw.lucky_index(drawn["number"], len(candidates), drawn["formula"]),
        players.get(drawn["lucky"]),
        drawn["kept_from"],
    )


def _players(document: Mapping[str, Any]) -> dict[int, Player]:
    """Everybody a document names, by number; who was merged goes by the name they have now (rule 4.13)."""
    numbers = {row["player"] for row in document["submissions"]}
    if document["draw"] and document["draw"]["lucky"]:
        numbers.add(document["draw"]["lucky"])
    known = Player.objects.select_related("merged_into").filter(archive_number__in=numbers)
    return {player.archive_number: (player.merged_into or player).kept() for player in known}
