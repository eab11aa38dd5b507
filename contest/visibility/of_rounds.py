"""Who may see rounds, their levels and what is fixed of them, and when (rules 2.8, 7.4, 7.10)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from contest.models import Disqualification, Level, LuckyNumber, Note, Prize, Round, Tester, Track
from contest.models.round import RoundQuerySet, TrackQuerySet
from contest.rules import settings as round_settings
from contest.rules.ground import ground_of, is_solved_alike
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from contest.visibility.viewer import Viewer
from solvers import sokoban

# Rounds and what is fixed of them


def rounds(viewer: Viewer, at: datetime) -> RoundQuerySet:  # noqa: ARG001 - every rule here takes the viewer
    """Rounds whose number and times are public: announced ones (rule 2.8)."""
    return Round.objects.announced(at)


def tracks(viewer: Viewer, at: datetime) -> TrackQuerySet:
    """Tracks with an announced round: until then nobody knows of one (rules 2.8, 2.11)."""
    return Track.objects.filter(Exists(rounds(viewer, at).filter(track=OuterRef("pk")).order_by()))


def opened_rounds(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Rounds whose levels and accepted submissions are public (rule 7.4)."""
    return Round.objects.opened(at)


def levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:  # noqa: ARG001
    """Levels that are public: those of rounds that have opened (rule 7.4). An organiser's solution is not."""
    return Level.objects.filter(round__in=Round.objects.opened(at)).select_related("round").defer("solution")


def tested_levels(tester: Tester, at: datetime) -> QuerySet[Level]:
    """What a tester who has agreed sees of a round that has not opened: its levels, no solution (rule 4.14)."""
    round_ = tester.round
    may_look = round_ and tester.agreed_at and not tester.ended_at
    if not round_ or not may_look or round_.cancelled_at or is_opened(round_, at):
        return Level.objects.none()
    return Level.objects.filter(round=round_).select_related("round").defer("solution")


def playable_levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:  # noqa: ARG001
    """Levels to play on any day: those of revealed rounds (rules 7.4, 20.1), without void ones (rule 2.10)."""
    listed = Level.objects.filter(round__in=Round.objects.revealed(at), voided_at=None)  # which have opened, too
    return listed.select_related("round").defer("solution")


def in_play(at: datetime) -> QuerySet[Level]:
    """Levels nobody may be helped with: of rounds that are open, or closed and not revealed (rules 3.10, 4.9)."""
    return Level.objects.filter(round__in=Round.objects.in_play(at))


def is_in_play(board: sokoban.Level, at: datetime) -> bool:
    """Whether *board* is such a level or a position of one, turned and mirrored too."""
    ground = ground_of(board)
    return bool(ground) and any(ground_of(sokoban.Level.parse(text)) == ground for text in _texts_in_play(at))


def is_help_in_play(board: sokoban.Level, solutions: Iterable[str], at: datetime) -> bool:
    """Whether one of *solutions* of *board* solves such a level too, turned and mirrored: *board* is a near copy."""
    texts = list(_texts_in_play(at))
    return any(is_solved_alike(text, board, lurd) for lurd in set(solutions) for text in texts)


def _texts_in_play(at: datetime) -> QuerySet[Level, str]:
    return in_play(at).order_by().values_list("text", flat=True)


def studied_levels(at: datetime) -> QuerySet[Level]:
    """Levels of which the program may say what it found: revealed, and not in play elsewhere (rules 3.10, 7.3)."""
    elsewhere = in_play(at).filter(key=OuterRef("key")).order_by()
    return playable_levels(Viewer(), at).exclude(Exists(elsewhere))


def settings(round_: Round, at: datetime) -> RoundSettings | None:
    """The round's settings and point tables: from the announcement (rule 7.4)."""
    if round_.phase(at) is Phase.DRAFT:
        return None
    shown = round_settings.of(round_.settings)
    # What is known of a level is public with the level.
    return shown if is_opened(round_, at) else replace(shown, not_known_solvable=())


def title(round_: Round, at: datetime) -> str:
    """The round's title, which may name its level: from the opening (rules 2.8, 7.4); empty before."""
    return round_.title if is_opened(round_, at) else ""


def prizes(round_: Round, at: datetime) -> tuple[str, str]:
    """What can be won, in Chinese and English: from the opening, as every text of the round (rules 7.4, 14.6)."""
    return (round_.prizes_zh, round_.prizes_en) if is_opened(round_, at) else ("", "")


def awards(viewer: Viewer, at: datetime) -> QuerySet[Prize]:
    """What can be won or was, with whoever gives it, who won it, and never where it goes (rules 7.4, 14.8)."""
    found = Prize.objects.filter(round__in=opened_rounds(viewer, at)).select_related("sponsor", "player")
    return found.defer("contact", "contact_at").order_by("pk")


def commitment(round_: Round, at: datetime) -> str:
    """The commitment of the lucky number: from the opening (rules 7.4, 11.2); empty before."""
    return round_.commitment if is_opened(round_, at) else ""


def notes(round_: Round, at: datetime) -> QuerySet[Note]:
    """The organisers' public notes on the round (rules 2.10, 3.7, 3.10, 14.4)."""
    return all_notes(at).filter(round=round_)


def all_notes(at: datetime) -> QuerySet[Note]:
    """Those on every round."""
    return Note.objects.filter(written_at__lte=at)


# What the close reveals


def is_opened(round_: Round, at: datetime) -> bool:
    """Whether the round has opened by *at*; one cancelled before never does (rule 7.10)."""
    is_announced = round_.announced_at is not None and round_.announced_at <= at
    return is_announced and round_.opens_at <= at and _came(round_, round_.opens_at)


def is_revealed(round_: Round, at: datetime) -> bool:
    """Whether the close, or the end of a wait for a make-up window, has come (rules 3.10, 7.4, 11.5).

    A round cancelled later keeps what was public then; one cancelled before reveals nothing (rule 7.10).
    """
    return is_opened(round_, at) and round_.reveals_at <= at and _came(round_, round_.reveals_at)


def _came(round_: Round, moment: datetime) -> bool:
    return round_.cancelled_at is None or moment <= round_.cancelled_at


def are_solutions_public(round_: Round, at: datetime) -> bool:
    """Whether everybody may see LURDs, replays and what is computed from them (rules 7.3, 7.6)."""
    if not is_revealed(round_, at):
        return False
    since = round_settings.of(round_.settings).solutions_public
    return since == "at_close" or (since == "at_final" and round_.phase(at) is Phase.FINAL)


def lucky_number(round_: Round, at: datetime) -> LuckyNumber | None:
    """L and SALT: from the reveal, or once no answer is opened any more; for organisers too (rules 7.4, 11.4, 11.5)."""
    is_public = is_revealed(round_, at) and round_.draws_at <= at
    return LuckyNumber.objects.filter(round=round_).first() if is_public else None


def practice_rounds(at: datetime) -> QuerySet[Round]:
    """Rounds that take practice: closed ones, of which nothing waits to be revealed (rule 20.1)."""
    return Round.objects.revealed(at)


def disqualifications(round_: Round, at: datetime) -> QuerySet[Disqualification]:
    """Who is disqualified, and why: public as soon as it is ruled (rules 7.4, 15.2)."""
    return all_disqualifications(at).filter(round=round_).select_related("player")


def all_disqualifications(at: datetime) -> QuerySet[Disqualification]:
    """Those of every round."""
    return Disqualification.objects.standing().filter(ruled_at__lte=at)
