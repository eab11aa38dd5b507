"""Results document of a round, computed from its best rows (rules 8, 14.1), never entered by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from contest import visibility
from contest.judging.judge import ENGINE_VERSION
from contest.models import Best, Board, Disqualification, Level, LuckyNumber, Player, Round, Snapshot, Submission
from contest.models.level import in_order
from contest.rounds import lucky_number
from contest.rules import settings as round_settings
from contest.rules import tabulation
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from contest.rules.tabulation import Lucky, Publication, Result

Document = dict[str, Any]


def live(
    round_: Round, at: datetime, levels: Iterable[Level] | None = None, bests: list[Best] | None = None
) -> Document:
    """Return the current results, without anybody's moves (rules 8.7, 14.1); with the draw from the reveal on.

    A cancelled round has no points, titles or draw (rule 7.10). *levels* and *bests*, if given, must be all of the
    round's.
    """
    if round_.phase(at) is Phase.CANCELLED:
        return tabulate(round_, 0, None, bests=[], levels=levels)
    number = visibility.lucky_number(round_, at)
    return tabulate(round_, 0, _lucky(round_, number) if number else None, bests=bests, levels=levels)


def current(round_: Round, at: datetime, levels: Iterable[Level] | None = None) -> Document:
    """Return the results in force: the newest revision of a final round, else the live results."""
    if round_.phase(at) is Phase.FINAL and (snapshot := round_.snapshots.order_by("-revision").first()):
        published: Document = snapshot.document
        return published
    return live(round_, at, levels)


def tabulate_revision(round_: Round, last: Snapshot) -> Document:
    """Return the document that a revision would publish now, with *last*'s revision number and without moves."""
    return tabulate(round_, last.revision, lucky_after(round_))


def tabulate(
    round_: Round,
    revision: int,
    drawn: Lucky | None,
    *,
    with_moves: bool = False,
    bests: list[Best] | None = None,
    levels: Iterable[Level] | None = None,
) -> Document:
    """Compute the document from *bests*, by default from all current best rows."""
    settings = round_settings.of(round_.settings)
    bests = current_bests(round_, with_moves=with_moves) if bests is None else bests
    tabulated = tabulation.compute_tables(settings, _results(bests), drawn)
    lurds = _lurds(settings, bests) if with_moves else {}
    listed = _levels(round_.levels.all() if levels is None else levels)
    facts = Publication(round_.number, revision, ENGINE_VERSION, listed, lurds)
    return tabulation.document(settings, tabulated, drawn, facts)


def current_bests(round_: Round, *, with_moves: bool = False) -> list[Best]:
    """Return the best rows of non-void levels (rule 2.10), in one query, with their moves if needed."""
    bests = Best.objects.filter(level__round=round_, level__voided_at=None, board=Board.CONTEST)
    left_out = ["submission__text", "submission__turned", "level__solution"]
    if not with_moves:
        left_out.append("submission__lurd")
    return list(bests.select_related("level", "player", "submission").defer(*left_out))


def _results(bests: Iterable[Best]) -> Iterable[Result]:
    """Return every player's bests (rules 1.7, 8.3), each submission once; players have their random numbers."""
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
    ordered = in_order(levels)
    return [{"slot": level.slot, "sha256": level.sha256, "void": level.voided_at is not None} for level in ordered]


def _lurds(settings: RoundSettings, bests: Iterable[Best]) -> dict[int, str]:
    """Return the moves of ranked submissions, if they are ever public (rules 7.3, 14.3, 15.4)."""
    if settings.solutions_public == "never":
        return {}
    ranked = {best.submission for best in bests}
    return {
        submission.original_number or submission.pk: submission.lurd
        for submission in ranked
        if not submission.is_unpublished
    }


def lucky_number_of(round_: Round) -> Lucky | None:
    """Return the lucky number of a round about to become final; None if the round draws nobody."""
    if not round_settings.of(round_.settings).lucky:
        return None
    return _lucky(round_, LuckyNumber.objects.get(round=round_))


def _lucky(round_: Round, number: LuckyNumber) -> Lucky:
    beacon = lucky_number.beacon_of(round_, number)
    return Lucky(round_.commitment, number.number, number.salt, number.is_typed, beacon=beacon)


def lucky_after(round_: Round) -> Lucky | None:
    """Return the earliest player drawn by final results who is still eligible, else a new draw (rule 14.5).

    A disqualified player and one on a champion's seat are not eligible while that lasts. If the round draws again at
    each revision, nobody is kept.
    """
    drawn = lucky_number_of(round_)
    settings = round_settings.of(round_.settings)
    if drawn is None or settings.lucky_on_revision == "redraw":
        return drawn
    tabulated = tabulation.compute_tables(settings, _results(current_bests(round_)))
    disqualified = set(Disqualification.objects.standing().filter(round=round_).entrants())
    for revision, player in _ever_drawn(round_, drawn):
        if player.pk not in disqualified and player.archive_number not in tabulated.champions.seats:
            return replace(drawn, previous_player=player.archive_number, previous_revision=revision)
    return drawn


def _ever_drawn(round_: Round, lucky: Lucky) -> list[tuple[int, Player]]:
    """Return the players that published results drew, earliest first, with the revision; under their current names.

    A draw with another value of the beacon, which proved wrong, does not count (rule 11.16).
    """
    beacon = asdict(lucky.beacon) if lucky.beacon else None
    # Without the moves: a document may hold megabytes of them.
    draws = round_.snapshots.order_by("revision").values_list("revision", "document__draw")
    drawn = tabulation.drawn_by_revision(draws, beacon)
    numbers = [number for _, number in drawn]
    players = Player.objects.select_related("merged_into").in_bulk(numbers, field_name="archive_number")
    return [(revision, players[number].merged_into or players[number]) for revision, number in drawn]


def public(snapshot: Snapshot) -> Document:
    """Return a published document without the moves withheld since it was published (rule 15.4)."""
    withheld = set(_withheld_numbers(snapshot.round))
    rows = [{**row, "lurd": None} if row["number"] in withheld else row for row in snapshot.document["submissions"]]
    return {**snapshot.document, "submissions": rows}


def _withheld_numbers(round_: Round) -> Iterable[int]:
    rows = Submission.objects.filter(round=round_, is_unpublished=True).values_list("original_number", "number")
    return (original or number for original, number in rows)


def players_of(document: Mapping[str, Any], known: Iterable[Player] = ()) -> dict[int, Player]:
    """Return all players in a document by number; a merged one as the player it was merged into (rule 4.13).

    No query if *known*, rows that the caller has read, contains all of them and none was merged.
    """
    numbers = {row["player"] for row in document["submissions"]}
    if document["draw"] and document["draw"]["lucky"]:
        numbers.add(document["draw"]["lucky"])
    players = {player.archive_number: player for player in known if player.merged_into_id is None}
    missing = numbers - players.keys()
    if missing:
        read = Player.objects.select_related("merged_into").filter(archive_number__in=missing)
        players |= {player.archive_number: player.merged_into or player for player in read}
    return {number: player.for_keeping() for number, player in players.items()}
