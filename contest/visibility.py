"""Who may see what, when: the only place that decides it (rule 7.4). Pages, API and admin all ask here."""

from collections.abc import Collection as Any_Of
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from contest.models import (
    SCORED,
    Banner,
    ChainLink,
    CollectedLevel,
    Collection,
    Disqualification,
    Intake,
    Level,
    LevelResult,
    LibraryLevel,
    LuckyNumber,
    Note,
    Outage,
    Placing,
    PlacingQuerySet,
    Player,
    Post,
    Proposal,
    Question,
    Round,
    Snapshot,
    Submission,
    Webhook,
)
from contest.models.round import REVEALS_AT, RoundQuerySet
from contest.rules import settings as round_settings
from contest.rules.ground import ground_of
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from solvers import sokoban


@dataclass(frozen=True)
class Viewer:
    """Who is looking, and which players they have proved to be (rule 4.11)."""

    # The claim secrets their browser holds, by the number of the name.
    claims: Mapping[int, str] = field(default_factory=dict, repr=False)
    # Players proved through those, by a login or by an API token.
    proved: frozenset[int] = frozenset()
    is_organiser: bool = False

    @property
    def players(self) -> frozenset[int]:
        return self.proved | frozenset(self.claims)

    def owns(self, submission: Submission) -> bool:
        """Rule 7.5: a web proof of the player. Knowing the nickname is not enough."""
        return submission.player_id in self.players


# A round that was found complete is not counted again, unless it was opened again since (chain.note_complete).
COMPLETE = Q(complete_at__gte=REVEALS_AT)


# Rounds and what is fixed of them


def rounds(viewer: Viewer, at: datetime) -> RoundQuerySet:  # noqa: ARG001 - every rule here takes the viewer
    """Rounds whose number and times are public: announced ones (rule 2.8)."""
    return Round.objects.announced(at)


def opened(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Rounds whose levels and accepted submissions are public (rule 7.4)."""
    return Round.objects.opened(at)


def levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:  # noqa: ARG001
    """Levels that are public: those of rounds that have opened (rule 7.4). An organiser's solution is not."""
    return Level.objects.filter(round__in=Round.objects.opened(at)).select_related("round").defer("solution")


def playable_levels(viewer: Viewer, at: datetime) -> QuerySet[Level]:
    """Levels to play on any day: those of revealed rounds (rules 7.4, 20.1), without void ones (rule 2.10)."""
    return levels(viewer, at).filter(round__in=Round.objects.revealed(at), voided_at=None)


def in_play(at: datetime) -> QuerySet[Level]:
    """Levels nobody may be helped with: of rounds that are open, or closed and not revealed (rules 3.10, 4.9)."""
    return Level.objects.filter(round__in=Round.objects.in_play(at))


def is_in_play(board: sokoban.Level, at: datetime) -> bool:
    """Whether *board* is such a level or a position of one, turned and mirrored too."""
    ground = ground_of(board)
    texts = in_play(at).order_by().values_list("text", flat=True)
    return bool(ground) and any(ground_of(sokoban.Level.parse(text)) == ground for text in texts)


def studied(at: datetime) -> QuerySet[Level]:
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


def solutions(viewer: Viewer, round_: Round, at: datetime) -> QuerySet[Submission]:
    """The accepted submissions of a round with their LURDs, for everybody (rules 7.3, 15.4); none before."""
    listed = accepted(viewer, at).filter(round=round_, is_unpublished=False)
    return listed.defer(None).defer("text", "turned") if are_solutions_public(round_, at) else listed.none()


def replays(viewer: Viewer, round_: Round, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001 - as `rounds`
    """What everybody may watch of a round: its solutions, spectator answers and practice (rules 7.3, 15.4, 20.1)."""
    shown = Submission.objects.filter(round=round_, verdict__in=SCORED, is_unpublished=False)
    listed = shown.select_related("player", "level__round", "round").defer("text", "turned")
    return listed if are_solutions_public(round_, at) else listed.none()


def withheld(viewer: Viewer, at: datetime, number: int, submission: int) -> Submission | None:
    """A result of round *number* that everybody may list, but whose moves are not published as others' (rule 15.4)."""
    listed = accepted(viewer, at).filter(round__number=number, number=submission, is_unpublished=True).first()
    return listed if listed and are_solutions_public(listed.round, at) else None


def replayable(viewer: Viewer, at: datetime, numbers: Any_Of[int]) -> list[Submission]:
    """Those of the submissions *numbers* whose moves everybody may see, of whatever rounds (rules 7.3, 15.4)."""
    listed = accepted(viewer, at).filter(number__in=numbers, is_unpublished=False)
    return [row for row in listed if are_solutions_public(row.round, at)]


def may_see_hashes(round_: Round, at: datetime) -> bool:
    """The SHA-256 of what others sent: from the reveal (rule 7.4)."""
    return is_revealed(round_, at)


def may_see_solution(viewer: Viewer, submission: Submission, at: datetime) -> bool:
    """The sender always (rule 7.5); everybody an accepted one, void or not (rules 7.3, 15.4)."""
    if viewer.owns(submission):
        return True
    if submission.verdict not in SCORED or submission.is_unpublished:
        return False
    return are_solutions_public(submission.round, at)


def may_staff_read(submission: Submission, at: datetime) -> bool:
    """Organisers read what was sent, of any verdict, from the reveal: before, they may be rivals (rules 6.14, 7.3)."""
    return is_revealed(submission.round, at)


def lucky_number(round_: Round, at: datetime) -> LuckyNumber | None:
    """L and SALT: from the reveal, organisers included (rules 7.4, 11.4, 11.5)."""
    return LuckyNumber.objects.filter(round=round_).first() if is_revealed(round_, at) else None


def practised(at: datetime) -> QuerySet[Round]:
    """Rounds that take practice: closed ones, of which nothing waits to be revealed (rule 20.1)."""
    return Round.objects.revealed(at)


# Submissions and rulings


def accepted(viewer: Viewer, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001
    """Submissions everybody may list, newest first: accepted ones of rounds that have opened (rules 6.14, 7.1).

    Practice is not among them: it stands on the all-time boards (rule 20.1).
    """
    return (
        Submission.objects.accepted()
        .entered()
        .without_text()
        .filter(round__in=Round.objects.opened(at))
        .select_related("player", "level__round", "round")
        .order_by("-received_at", "-number")
    )


def counted(viewer: Viewer, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001
    """The public submissions that count (rule 1.7), newest first."""
    return (
        Submission.objects.counted()
        .without_text()
        .filter(round__in=Round.objects.opened(at))
        .select_related("player", "level__round", "round")
        .order_by("-received_at", "-number")
    )


def own(viewer: Viewer) -> QuerySet[Submission]:
    """What the viewer's own players sent, newest first, with its receipts, in any phase (rule 7.5)."""
    own = Submission.objects.filter(player__in=viewer.players).without_text()
    return own.select_related("player", "level__round", "round").order_by("-received_at", "-number")


def by_receipt(receipt_id: str) -> Submission:
    """The one submission that a receipt id shows to its holder, in any phase (rule 7.5); it proves no nickname.

    Raise Submission.DoesNotExist.
    """
    shown = Submission.objects.select_related("player", "level__round", "round", "chain_link")
    return shown.get(receipt_id=receipt_id)


def disqualifications(round_: Round, at: datetime) -> QuerySet[Disqualification]:
    """Who is disqualified, and why: public as soon as it is ruled (rules 7.4, 15.2)."""
    return all_disqualifications(at).filter(round=round_).select_related("player")


def all_disqualifications(at: datetime) -> QuerySet[Disqualification]:
    """Those of every round."""
    return Disqualification.objects.standing().filter(ruled_at__lte=at)


# Results


def may_preview_points(round_: Round, at: datetime) -> bool:
    """Points as they would be now: while the round is open, and after (rule 7.4). A cancelled round has none."""
    return round_.phase(at) in (Phase.OPEN, Phase.CLOSED, Phase.FINAL)


def may_see_results(round_: Round, at: datetime) -> bool:
    """Points, champions and the draw: from the reveal (rule 7.4). A cancelled round has none (rule 7.10)."""
    return is_revealed(round_, at) and round_.phase(at) in (Phase.CLOSED, Phase.FINAL)


def snapshots(viewer: Viewer, at: datetime) -> QuerySet[Snapshot]:  # noqa: ARG001
    """The published results of final rounds, all revisions (rules 14.3, 14.4)."""
    return Snapshot.objects.filter(round__in=Round.objects.final(at), made_at__lte=at)


def archived(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Rounds whose archive is public (rule 24.1): revealed, all judged, all in the receipt chain."""
    entered = Submission.objects.filter(round=OuterRef("pk")).entered()
    unready = Exists(entered.waiting()) | Exists(entered.filter(is_imported=False, chain_link=None))
    return Round.objects.revealed(at).filter(COMPLETE | ~Q(unready))


def chain_link(round_: Round, at: datetime) -> ChainLink | None:
    """Rule 24.2: while *round_* is open the newest link of the chain; afterwards the last of the round's own."""
    links = ChainLink.objects.select_related("submission").defer("submission__text", "submission__lurd")
    if round_.phase(at) != Phase.OPEN:
        links = links.filter(submission__round=round_, submission__is_practice=False)
    return links.order_by("-submission_id").first()


def placings(viewer: Viewer, at: datetime) -> PlacingQuerySet:  # noqa: ARG001
    """Places, points and titles of final rounds; before that they are a preview of their round alone (rule 7.4)."""
    return Placing.objects.filter(round__in=Round.objects.final(at))


def players(viewer: Viewer, at: datetime) -> QuerySet[Player]:
    """Players with something public: an accepted submission, a placing (rules 6.14, 7.4), a level of a collection."""
    opened_rounds = Round.objects.opened(at)
    shown = Exists(Submission.objects.accepted().filter(player=OuterRef("pk"), round__in=opened_rounds).order_by())
    placed = Exists(placings(viewer, at).filter(player=OuterRef("pk")).order_by())
    plays = Exists(LevelResult.objects.filter(player=OuterRef("pk"), level__is_public=True).order_by())
    return Player.objects.filter(shown | placed | plays | Q(pk__in=viewer.players))


def own_webhooks(viewer: Viewer) -> QuerySet[Webhook]:
    """A player's own webhooks."""
    return Webhook.objects.filter(player__in=viewer.players).select_related("player").order_by("pk")


def public_questions(round_: Round, at: datetime) -> QuerySet[Question]:
    """Rule 25.1: answered for everybody; shown is `public_text`, never what the player wrote or who it was."""
    return all_public_questions(at).filter(round=round_).order_by("-answered_at")


def all_public_questions(at: datetime) -> QuerySet[Question]:
    """Those of every round."""
    return Question.objects.filter(is_public=True, answered_at__lte=at)


def own_questions(viewer: Viewer, round_: Round) -> QuerySet[Question]:
    """A player's own questions with their answers (rule 25.1)."""
    return Question.objects.filter(round=round_, player__in=viewer.players).select_related("player")


def banners(at: datetime) -> QuerySet[Banner]:
    """What is on every page at *at*."""
    return Banner.objects.filter(Q(shown_until=None) | Q(shown_until__gt=at), shown_from__lte=at)


# The site itself


def outages(at: datetime) -> QuerySet[Outage]:
    """When the site could take no submissions (rule 3.10), for everybody: those of the last 90 days."""
    return Outage.objects.filter(ended_at__gte=at - timedelta(days=90), began_at__lte=at)


def posts(viewer: Viewer, at: datetime) -> QuerySet[Post]:  # noqa: ARG001 - every rule here takes the viewer
    """What organisers have written for everybody, from its time on, newest first."""
    return Post.objects.published(at)


# Published collections


def collections(viewer: Viewer, at: datetime) -> QuerySet[Collection]:  # noqa: ARG001 - every rule here takes both
    """What everybody may play on any day, whatever stands in rounds (rule 26.3)."""
    return Collection.objects.filter(withdrawn_at=None)


def collected_levels(viewer: Viewer, at: datetime) -> QuerySet[CollectedLevel]:  # noqa: ARG001
    """Their levels."""
    return CollectedLevel.objects.filter(is_public=True)


def result_by_receipt(receipt_id: str) -> LevelResult:
    """The one result that a receipt id shows to its holder; it proves no nickname. Raise LevelResult.DoesNotExist."""
    return LevelResult.objects.select_related("player", "level__collection").get(receipt_id=receipt_id)


# The organisers' library


def levels_in_library(user: User) -> QuerySet[LibraryLevel]:
    """Levels that wait: organisers see all, authors what they brought themselves, nobody else any."""
    if user.has_perm("contest.change_librarylevel"):
        return LibraryLevel.objects.all()
    if user.has_perm("contest.add_librarylevel"):
        return LibraryLevel.objects.filter(added_by=user)
    return LibraryLevel.objects.none()


def levels_known_to(user: User, at: datetime) -> QuerySet[Level]:
    """Levels of rounds that a level brought in is compared with: of unopened rounds organisers alone are told."""
    return Level.objects.all() if user.has_perm("contest.change_librarylevel") else levels(Viewer(), at)


def intakes(user: User) -> QuerySet[Intake]:
    """Collections being chosen from: one's own."""
    return Intake.objects.filter(brought_by=user.pk)


# What authors propose


def own_proposals(viewer: Viewer, user: object) -> QuerySet[Proposal]:
    """The levels that the viewer's account or nicknames proposed: nobody else's, and nobody else sees them."""
    mine = Q(player__in=viewer.players)
    if isinstance(user, User):
        mine |= Q(account=user)
    return Proposal.objects.filter(mine)


def proposals(user: User) -> QuerySet[Proposal]:
    """What was sent to the organisers; a draft or what was withdrawn is its author's alone."""
    if not user.has_perm("contest.change_librarylevel"):
        return Proposal.objects.none()
    return Proposal.objects.exclude(state__in=(Proposal.State.DRAFT, Proposal.State.WITHDRAWN))
