"""Actions on players: rename, free, correct, erase (rules 4.13, 15.6, 16.3). Each is audited.

The audit record names players by number: names are stored in player rows only, so that they can be erased.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import (
    Comment,
    CommentReport,
    Delivery,
    League,
    Level,
    LongAct,
    NameReport,
    Player,
    Prize,
    Proposal,
    ProposalComment,
    Rating,
    Round,
    Star,
    State,
    Submission,
    Subscriber,
    Tester,
    Verdict,
    Vote,
)
from contest.players import resting
from contest.players.claims import new_secret, sha256_of
from contest.players.names import DELETED, BadName, clean_nickname, keys, name_key, no_keys
from contest.rankings import collected, personal_bests, ratings
from contest.staff import audit_log
from contest.staff.audit_log import Actor

DAYS_BETWEEN_NAMES = 30
MOST_FORMER_NAMES = 5


class Impossible(ValidationError):
    """An action that is impossible in the current state; holds a message for the user."""

    def __str__(self) -> str:
        return " ".join(self.messages)


# Names


@transaction.atomic
def rename(player: Player, nickname: str, by: Actor, *, reason: str = "") -> None:
    """Rename *player*; the old name still leads to them, so that no other player can get it.

    Another spelling of the same name creates no former name. Raise BadName or Impossible.
    """
    nickname = clean_nickname(nickname)
    player = lock(player)
    key, former = name_key(nickname), player.name_key
    after: dict[str, Any] = {}
    if key != former:
        after = {"former name": _leave_name(player, nickname)}
    try:
        with transaction.atomic():
            Player.objects.filter(pk=player.pk).update(nickname=nickname, **keys(nickname))
    except IntegrityError:  # taken by a concurrent request
        raise Impossible(_("This nickname belongs to somebody already.")) from None
    personal_bests.refresh_display(player)
    audit_log.record(by, "rename", player, reason=reason, after=after)


def _leave_name(player: Player, nickname: str) -> int:
    """Move the current name of *player*, who will get *nickname*, to another row; return its number."""
    wanted = keys(nickname)
    holder = Player.objects.filter(name_key=wanted["name_key"]).first()
    if holder is None:
        try:
            resting.check_unused(nickname)
        except BadName as bad:
            raise Impossible(bad.message) from None
    similar = Player.objects.filter(look_key=wanted["look_key"]).exclude(Q(pk=player.pk) | Q(merged_into=player))
    if similar.exists() or (holder and holder.merged_into_id != player.pk):
        raise Impossible(_("This nickname belongs to somebody already."))
    name_columns = {"nickname": player.nickname, "name_key": player.name_key, "look_key": player.look_key}
    Player.objects.filter(pk=player.pk).update(**no_keys(player.pk))
    if holder:  # a former name again: the two rows swap names
        Player.objects.filter(pk=holder.pk).update(**name_columns)
        return holder.pk
    return Player.objects.create(
        merged_into=player, league=player.league, claim_sha256=nobodys_hash(), created_at=clock.now(), **name_columns
    ).pk


@transaction.atomic
def rename_oneself(player: Player, nickname: str, by: Actor) -> None:
    """Rename by the player: once in thirty days, and not while they have results in an open round.

    Other players follow its table by name. Another spelling of the same name is always allowed.
    """
    player, at = lock_own(player), clock.now()
    if name_key(clean_nickname(nickname)) != player.name_key:
        if player.renamed_at and at < player.renamed_at + timedelta(days=DAYS_BETWEEN_NAMES):
            raise Impossible(_("A nickname can be changed once in %(days)s days.") % {"days": DAYS_BETWEEN_NAMES})
        if Submission.objects.of(player).filter(round__in=Round.objects.open(at)).exists():
            raise Impossible(_("You have entered the open round. Change your nickname after it has closed."))
        if player.aliases.count() >= MOST_FORMER_NAMES:
            raise Impossible(_("You have changed nicknames too often. Ask an organiser to change it again."))
        Player.objects.filter(pk=player.pk).update(renamed_at=at)
    rename(player, nickname, by)


@transaction.atomic
def release(player: Player, by: Actor, *, reason: str) -> None:
    """Free the nickname of *player*, who never had a submission accepted: its next user gets it.

    The player's submissions stay, without a name, and its tokens end. Raise Impossible.
    """
    player, at = lock(player), clock.now()
    sent = Submission.objects.of(player)
    if sent.exclude(state=State.JUDGED).exists():
        raise Impossible(_("A submission under this nickname is still being judged."))
    if sent.filter(verdict__in=[Verdict.ACCEPTED, Verdict.SPECTATOR]).exists() or _has_history(player):
        raise Impossible(_("This nickname has results: it can be renamed, but not released."))
    for name in [player, *player.aliases.all()]:
        Player.objects.filter(pk=name.pk).update(nickname=f"#{name.pk}", **no_keys(name.pk))
    player.tokens.filter(revoked_at=None).update(revoked_at=at)  # they could only enter as a new player called "#7"
    audit_log.record(by, "release", player, reason=reason)


@transaction.atomic
def hand_over(player: Player, by: Actor, *, reason: str) -> Player:
    """Free the nickname of *player* and reserve it for another person, who gets a claim link. Raise Impossible."""
    name_columns = {"nickname": player.nickname, "name_key": player.name_key, "look_key": player.look_key}
    release(player, by, reason=reason)
    heir = Player.objects.create(**name_columns, claim_sha256=nobodys_hash(), created_at=clock.now())
    audit_log.record(by, "hand over", heir, reason=reason, before={"player": player.pk})
    return heir


# Corrections by organisers


@transaction.atomic
def correct_league(player: Player, league: str, by: Actor, *, reason: str) -> None:
    """Set whether *player* is a human or a program (rule 16.3). Raise Impossible.

    Refused while the player has counted submissions in an open round. Tokens of the former league are revoked.
    """
    player, at = lock(player), clock.now()
    if player.league == league:
        return
    entered = Submission.objects.of(player).filter(round__in=Round.objects.open(at))
    if entered.waiting().exists() or entered.counted().exists() or entered.counted(Verdict.SPECTATOR).exists():
        raise Impossible(_("The player has entered the open round. Correct the league after it has closed."))
    levels, before = lock_levels(player), player.league
    Player.objects.filter(pk__in=rows_of(player)).update(league=League(league))
    ended = player.tokens.filter(revoked_at=None).update(revoked_at=at)
    recount(levels, player)
    audit_log.record(
        by, "league", player, reason=reason, before={"league": before}, after={"league": league, "tokens ended": ended}
    )


@transaction.atomic
def set_country(player: Player, country: str, by: Actor) -> None:
    before = lock_own(player).country
    Player.objects.filter(pk=player.pk).update(country=country)
    personal_bests.refresh_display(player)
    audit_log.record(by, "country", player, before={"had one": bool(before)})  # the record is never erased


@transaction.atomic
def set_email(player: Player, email: str, by: Actor, *, is_verified: bool = False) -> None:
    """Set the address that proves the nickname. Only a verified one may replace another. Raise Impossible."""
    player = lock_own(player)
    if player.is_open:
        raise Impossible(_("Nobody owns this nickname yet: ask the organisers for it first."))
    if player.email and not is_verified:
        raise Impossible(_("Sign in with the new address first."))
    Player.objects.filter(pk=player.pk).update(email=email)
    audit_log.record(by, "e-mail", player, before={"had one": bool(player.email)})


# Erasing


@transaction.atomic
def erase(player: Player, by: Actor, *, reason: str = "") -> None:
    """Erase the personal data of *player* (rule 15.6). Results stay, under "deleted player"; no hash changes.

    Nickname, former names, country, address and account are deleted, and every proof is revoked. The names rest for a
    year; then they are free.
    """
    player, at = lock(player), clock.now()
    resting.rest(Player.objects.filter(pk__in=rows_of(player)), at)
    _end_letters(player)
    for pk in rows_of(player):
        Player.objects.filter(pk=pk).update(
            nickname=DELETED,
            **no_keys(pk),
            country="",
            email="",
            owner=None,
            claim_sha256="",
            reclaimed_at=at,
            told_at=None,
            erased_at=at,
        )
    _forget_talk(rows_of(player), at)
    personal_bests.refresh_display(player)
    player.tokens.all().delete()
    player.webhooks.all().delete()
    for delivery in Delivery.objects.filter(body__player__number__in=rows_of(player)):
        delivery.body["player"]["name"] = DELETED
        delivery.save(update_fields=["body"])
    for listed in (Tester.names, Tester.told):
        listed.through.objects.filter(player__in=rows_of(player)).delete()
    about = Q(player__in=rows_of(player)) | Q(other__in=rows_of(player))
    NameReport.objects.filter(about).update(email="", text="")
    # The published question is the organisers' wording; the player's own text was never public.
    player.questions.update(text="")
    forget_proposals(Proposal.objects.filter(player=player))
    Prize.objects.filter(player__in=rows_of(player)).update(contact="", contact_at=None)
    # Chosen by the sender, for retries only; not needed later.
    Submission.objects.of(player).update(idempotency_key=None)
    audit_log.record(by, "erase", player, reason=reason)


@transaction.atomic
def forget_proposals(own: QuerySet[Proposal]) -> None:
    """Delete private proposals; accepted levels stay publishable with their author's name, without what was written."""
    list(own.select_for_update().order_by("pk").values_list("pk"))  # a comment may just be being written
    own.exclude(state=Proposal.State.ACCEPTED).delete()
    ProposalComment.objects.filter(proposal__in=own.values("pk")).delete()
    own.update(player=None, note="")


def _forget_talk(rows: Iterable[int], at: datetime) -> None:
    """Delete comments' text, votes and stars; the comment rows stay (rule 27.5)."""
    written = Comment.objects.filter(player__in=rows)
    CommentReport.objects.filter(comment__in=written.values("pk")).delete()
    written.filter(deleted_at=None).update(deleted_at=at)
    written.update(text="", spoiler="", hidden_because="")
    cast = Vote.objects.filter(player__in=rows)
    voted_for = list(cast.exclude(collected=None).values_list("collected", flat=True))
    cast.delete()
    collected.count_votes(voted_for)
    Star.objects.filter(Q(player__in=rows) | Q(followed__in=rows)).delete()


def _end_letters(player: Player) -> None:
    """Unsubscribe the address of *player* that its account has verified: any other may be a stranger's."""
    rows = Player.objects.filter(pk__in=rows_of(player))
    verified = EmailAddress.objects.filter(user__in=rows.exclude(owner=None).values("owner"), verified=True)
    verified_emails = set(verified.values_list("email", flat=True))
    given = set(rows.exclude(email="").values_list("email", flat=True))
    Subscriber.objects.filter(email__in=verified_emails & given).delete()


# Shared


def lock(player: Player) -> Player:
    """Lock and return the current row of *player*. Raise Impossible if the player was merged or erased."""
    held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if held.merged_into_id or held.erased_at:
        raise Impossible(_("This player was merged into another player, or deleted permanently."))
    check_unmoving(held)
    return held


def lock_own(proved: Player) -> Player:
    """Lock and return the current row of *proved* for its owner. Raise Impossible if it was given away meanwhile."""
    check_own(proved)
    return lock(proved)


def check_own(proved: Player) -> None:
    """Lock the row of *proved*; raise Impossible if it has another owner than when the viewer proved it (rule 4.11)."""
    held = Player.objects.select_for_update(no_key=True).get(pk=proved.pk)
    if (held.reclaimed_at, held.owner_id) != (proved.reclaimed_at, proved.owner_id):
        raise Impossible(_("This nickname is no longer yours."))


def check_unmoving(*players: Player) -> None:
    """Raise Impossible while a worker moves submissions between one of *players* and another."""
    if any(LongAct.objects.unended().of_player(player).exists() for player in players):
        raise Impossible(_("Names of this player are being merged or separated; wait until that is done."))


def rows_of(player: Player) -> list[int]:
    return [player.pk, *player.aliases.values_list("pk", flat=True)]


def _has_history(player: Player) -> bool:
    return player.placings.exists() or player.is_imported


def nobodys_hash() -> str:
    """Return the hash of a new secret that nobody knows."""
    return sha256_of(new_secret())


def lock_levels(player: Player) -> list[Level]:
    """Return the levels of every round *player* has entered, locked like the judge does, before any submission."""
    rounds = Submission.objects.of(player).values("round")
    return list(Level.objects.select_for_update(no_key=True).filter(round__in=rounds).order_by("pk"))


def recount(levels: Iterable[Level], *players: Player) -> None:
    """Recompute the best rows of *players* from their current rows: a best row copies its player's league."""
    personal_bests.recount(levels, Player.objects.filter(pk__in=[player.pk for player in players]))


def recompute_ratings(*players: Player) -> None:
    """Recompute the ratings from the first round of *players* on: each depends on all rounds before it (rule 22.1)."""
    rounds = Rating.objects.filter(player__in=players).order_by().values("round")
    ratings.update(*Round.objects.filter(pk__in=rounds).select_related("track"))
