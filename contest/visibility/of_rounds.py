"""Access to rounds, their levels and their fixed settings, and from when (rules 2.8, 7.4, 7.10)."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from contest.models import Disqualification, Level, LuckyNumber, Note, Prize, Round, Tester, Track
from contest.models.round import RoundQuerySet, TrackQuerySet
from contest.rules import settings as round_settings
from contest.rules.ground import ground_of
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from contest.visibility.viewer import Viewer
from solvers import sokoban
from solvers.sokoban.checks.resemblance import is_copy

# Rounds and their settings


def rounds(viewer: Viewer, at: datetime) -> RoundQuerySet:  # noqa: ARG001 - every rule here takes the viewer
    """Return announced rounds, which have a public number and public times (rule 2.8)."""
    return Round.objects.announced(at)


def tracks(viewer: Viewer, at: datetime) -> TrackQuerySet:
    """Return tracks with an announced round; before that a track is not public (rules 2.8, 2.11)."""
    return Track.objects.filter(Exists(rounds(viewer, at).filter(track=OuterRef("pk")).order_by()))


def opened_rounds(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Return rounds with public levels and accepted submissions (rule 7.4)."""
    return Round.objects.opened(at)


def levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:  # noqa: ARG001
    """Return public levels, those of opened rounds (rule 7.4), without organisers' solutions."""
    return Level.objects.filter(round__in=Round.objects.opened(at)).select_related("round").defer("solution")


def tested_levels(tester: Tester, at: datetime) -> QuerySet[Level]:
    """Return the levels of an unopened round, without solutions, if the tester has agreed (rule 4.14)."""
    round_ = tester.round
    may_look = round_ and tester.agreed_at and not tester.ended_at
    if not round_ or not may_look or round_.cancelled_at or is_opened(round_, at):
        return Level.objects.none()
    return Level.objects.filter(round=round_).select_related("round").defer("solution")


def playable_levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:  # noqa: ARG001
    """Return levels playable on any day: those of revealed rounds (rules 7.4, 20.1), without void ones (rule 2.10)."""
    listed = Level.objects.filter(round__in=Round.objects.revealed(at), voided_at=None)  # so opened
    return listed.select_related("round").defer("solution")


def in_play(at: datetime) -> QuerySet[Level]:
    """Return levels with which no help is given: of rounds open, or closed and not revealed (rules 3.10, 4.9)."""
    return Level.objects.filter(round__in=Round.objects.in_play(at))


def is_in_play(board: sokoban.Level, at: datetime, *, ground: str = "") -> bool:
    """Return whether *board* is a level in play, a position of one or a near copy, also if turned or mirrored.

    *ground* is that of *board*, if it is known: of a large board it takes half a second.
    """
    ground = ground or ground_of(board)
    levels = [sokoban.Level.parse(text) for text in in_play(at).order_by().values_list("text", flat=True)]
    return bool(ground) and any(ground_of(level) == ground or is_copy(board, level) for level in levels)


def may_race(level: Level, at: datetime) -> bool:
    """Return whether links may bring solutions of *level*: public ones, and none of a level in play (rules 3.10, 7.3).

    Unopened rounds are not asked: the answer would reveal them.
    """
    return are_solutions_public(level.round, at) and not is_in_play(level.board, at)


def studied_levels(at: datetime) -> QuerySet[Level]:
    """Return levels with public analysis: revealed, and not in play in another round (rules 3.10, 7.3)."""
    elsewhere = in_play(at).filter(key=OuterRef("key")).order_by()
    return playable_levels(Viewer(), at).exclude(Exists(elsewhere))


def settings(round_: Round, at: datetime) -> RoundSettings | None:
    """Return the round's settings and point tables: public from the announcement (rule 7.4)."""
    if round_.phase(at) is Phase.DRAFT:
        return None
    shown = round_settings.of(round_.settings)
    # Facts about a level are public only with the level.
    return shown if is_opened(round_, at) else replace(shown, not_known_solvable=())


def title(round_: Round, at: datetime) -> str:
    """Return the round's title once it has opened, as it may name the level (rules 2.8, 7.4); empty before."""
    return round_.title if is_opened(round_, at) else ""


def prizes(round_: Round, at: datetime) -> tuple[str, str]:
    """Return the prizes in Chinese and English once the round has opened, as all its texts (rules 7.4, 14.6)."""
    return (round_.prizes_zh, round_.prizes_en) if is_opened(round_, at) else ("", "")


def awards(viewer: Viewer, at: datetime) -> QuerySet[Prize]:
    """Return the prizes of opened rounds with sponsor and winner, without the delivery address (rules 7.4, 14.8)."""
    listed = Prize.objects.filter(round__in=opened_rounds(viewer, at)).select_related("sponsor", "player")
    return listed.defer("contact", "contact_at").order_by("pk")


def commitment(round_: Round, at: datetime) -> str:
    """Return the commitment of the lucky number once the round has opened (rules 7.4, 11.2); empty before."""
    return round_.commitment if is_opened(round_, at) else ""


def notes(round_: Round, at: datetime) -> QuerySet[Note]:
    """Return the organisers' public notes on the round (rules 2.10, 3.7, 3.10, 14.4)."""
    return all_notes(at).filter(round=round_)


def all_notes(at: datetime) -> QuerySet[Note]:
    """Return the public notes on all rounds."""
    return Note.objects.filter(written_at__lte=at)


# Revealed at the close


def is_opened(round_: Round, at: datetime) -> bool:
    """Return whether the round has opened by *at*; a round cancelled before its opening never opens (rule 7.10)."""
    is_announced = round_.announced_at is not None and round_.announced_at <= at
    return is_announced and round_.opens_at <= at and _was_reached(round_, round_.opens_at)


def is_revealed(round_: Round, at: datetime) -> bool:
    """Return whether the close, or the end of a wait for a make-up window, has passed (rules 3.10, 7.4, 11.5).

    A round cancelled later keeps what was public then; a round cancelled earlier reveals nothing (rule 7.10).
    """
    return is_opened(round_, at) and round_.reveals_at <= at and _was_reached(round_, round_.reveals_at)


def _was_reached(round_: Round, moment: datetime) -> bool:
    return round_.cancelled_at is None or moment <= round_.cancelled_at


def are_solutions_public(round_: Round, at: datetime) -> bool:
    """Return whether LURDs, replays and everything computed from them are public (rules 7.3, 7.6)."""
    if not is_revealed(round_, at):
        return False
    since = round_settings.of(round_.settings).solutions_public
    return since == "at_close" or (since == "at_final" and round_.phase(at) is Phase.FINAL)


def lucky_number(round_: Round, at: datetime) -> LuckyNumber | None:
    """Return L and SALT once revealed and no answer can still be opened, organisers too (rules 7.4, 11.4, 11.5)."""
    is_public = is_revealed(round_, at) and round_.draws_at <= at
    return LuckyNumber.objects.filter(round=round_).first() if is_public else None


def practice_rounds(at: datetime) -> QuerySet[Round]:
    """Return rounds open for practice: closed, and with nothing left to reveal (rule 20.1)."""
    return Round.objects.revealed(at)


def disqualifications(round_: Round, at: datetime) -> QuerySet[Disqualification]:
    """Return the round's disqualifications with their reasons: public at once (rules 7.4, 15.2)."""
    return all_disqualifications(at).filter(round=round_).select_related("player")


def rulings(round_: Round, at: datetime) -> QuerySet[Disqualification]:
    """Return the round's disqualifications, also those that were lifted, with their reasons (rules 7.4, 15.2, 15.3)."""
    return Disqualification.objects.filter(round=round_, ruled_at__lte=at).select_related("player").order_by("pk")


def all_disqualifications(at: datetime) -> QuerySet[Disqualification]:
    """Return the disqualifications of all rounds."""
    return Disqualification.objects.standing().filter(ruled_at__lte=at)
