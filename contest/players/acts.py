"""What is done to players: renamed, merged, freed, corrected, erased (rules 4.13, 15.6, 16.3). Each act is audited.

The audit record names players by number: names stand in the rows of players alone, so that they can be erased.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import (
    Comment,
    CommentReport,
    Delivery,
    League,
    Level,
    Player,
    Prize,
    Proposal,
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
from contest.players.claims import new_secret, sha256_of
from contest.players.names import DELETED, check_new, clean_nickname, keys, name_key, no_keys
from contest.rankings import collected, personal_bests, ratings
from contest.staff import audit_log
from contest.staff.audit_log import Actor

DAYS_BETWEEN_NAMES = 30
MOST_FORMER_NAMES = 5


class Impossible(ValidationError):
    """An act that cannot be done as things stand; says why, in words for the person."""

    def __str__(self) -> str:
        return " ".join(self.messages)


# Names


@transaction.atomic
def rename(player: Player, nickname: str, by: Actor, *, reason: str = "") -> None:
    """Call *player* by another name; the old one goes on leading to them, so that nobody else gets it.

    Another spelling of the same name leaves nothing behind. Raise BadName or Impossible.
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
    except IntegrityError:  # taken in this very moment
        raise Impossible(_("This nickname belongs to somebody already.")) from None
    personal_bests.show_anew(player)
    audit_log.record(by, "rename", player, reason=reason, after=after)


def _leave_name(player: Player, nickname: str) -> int:
    """Let another row hold the present name of *player*, who is to take *nickname*; return its number."""
    wanted = keys(nickname)
    holder = Player.objects.filter(name_key=wanted["name_key"]).first()
    if holder is None:
        check_new(nickname)
    alike = Player.objects.filter(look_key=wanted["look_key"]).exclude(Q(pk=player.pk) | Q(merged_into=player))
    if alike.exists() or (holder and holder.merged_into_id != player.pk):
        raise Impossible(_("This nickname belongs to somebody already."))
    kept = {"nickname": player.nickname, "name_key": player.name_key, "look_key": player.look_key}
    Player.objects.filter(pk=player.pk).update(**no_keys(player.pk))
    if holder:  # back to a name they had: the two rows exchange theirs
        Player.objects.filter(pk=holder.pk).update(**kept)
        return holder.pk
    return Player.objects.create(
        merged_into=player, league=player.league, claim_sha256=nobodys_hash(), created_at=clock.now(), **kept
    ).pk


@transaction.atomic
def rename_oneself(player: Player, nickname: str, by: Actor) -> None:
    """Rename by the player: once in thirty days, and not while their results stand in an open round.

    There others follow the table by its names. Another spelling of the same name is always free.
    """
    player, at = lock(player), clock.now()
    if name_key(clean_nickname(nickname)) != player.name_key:
        if player.renamed_at and at < player.renamed_at + timedelta(days=DAYS_BETWEEN_NAMES):
            raise Impossible(_("A nickname can be changed once in %(days)s days.") % {"days": DAYS_BETWEEN_NAMES})
        if Submission.objects.of(player).filter(round__in=Round.objects.open(at)).exists():
            raise Impossible(_("You have entered the open round: change the nickname when it has closed."))
        if player.aliases.count() >= MOST_FORMER_NAMES:
            raise Impossible(_("You have changed nicknames too often; ask an organiser to change it again."))
        Player.objects.filter(pk=player.pk).update(renamed_at=at)
    rename(player, nickname, by)


@transaction.atomic
def release(player: Player, by: Actor, *, reason: str) -> None:
    """Free the nickname of *player*, who has never had a submission accepted: the next to use it has it.

    What they sent stays with them, under no name. Raise Impossible.
    """
    player = lock(player)
    sent = Submission.objects.of(player)
    if sent.exclude(state=State.JUDGED).exists():
        raise Impossible(_("A submission under this nickname is still being judged."))
    if sent.filter(verdict__in=[Verdict.ACCEPTED, Verdict.SPECTATOR]).exists() or _has_history(player):
        raise Impossible(_("This nickname has results: it can be renamed, but not freed."))
    for name in [player, *player.aliases.all()]:
        Player.objects.filter(pk=name.pk).update(nickname=f"#{name.pk}", **no_keys(name.pk))
    audit_log.record(by, "release", player, reason=reason)


@transaction.atomic
def hand_over(player: Player, by: Actor, *, reason: str) -> Player:
    """Free the nickname of *player* and keep it for somebody else, who gets it by a claim link. Raise Impossible."""
    kept = {"nickname": player.nickname, "name_key": player.name_key, "look_key": player.look_key}
    release(player, by, reason=reason)
    heir = Player.objects.create(**kept, claim_sha256=nobodys_hash(), created_at=clock.now())
    audit_log.record(by, "hand over", heir, reason=reason, before={"player": player.pk})
    return heir


# What organisers correct


@transaction.atomic
def correct_league(player: Player, league: str, by: Actor, *, reason: str) -> None:
    """Rule 16.3: say whether *player* is a human or a program. Raise Impossible.

    Refused while the player has counted submissions in an open round. Tokens made in the other league end.
    """
    player, at = lock(player), clock.now()
    if player.league == league:
        return
    entered = Submission.objects.of(player).filter(round__in=Round.objects.open(at))
    if entered.waiting().exists() or entered.counted().exists() or entered.counted(Verdict.SPECTATOR).exists():
        raise Impossible(_("The player has entered the open round: correct the league when it has closed."))
    levels, before = lock_levels(player), player.league
    Player.objects.filter(pk__in=rows_of(player)).update(league=League(league))
    ended = player.tokens.filter(revoked_at=None).update(revoked_at=at)
    recount(levels, player)
    audit_log.record(
        by, "league", player, reason=reason, before={"league": before}, after={"league": league, "tokens ended": ended}
    )


@transaction.atomic
def set_country(player: Player, country: str, by: Actor) -> None:
    before = lock(player).country
    Player.objects.filter(pk=player.pk).update(country=country)
    personal_bests.show_anew(player)
    audit_log.record(by, "country", player, before={"had one": bool(before)})  # the record is never erased


@transaction.atomic
def set_email(player: Player, email: str, by: Actor, *, is_verified: bool = False) -> None:
    """Keep the address that proves the nickname. Only a verified one replaces another. Raise Impossible."""
    player = lock(player)
    if player.is_open:
        raise Impossible(_("Nobody owns this nickname yet: ask the organisers for it first."))
    if player.email and not is_verified:
        raise Impossible(_("Sign in with the new address first."))
    Player.objects.filter(pk=player.pk).update(email=email)
    audit_log.record(by, "e-mail", player, before={"had one": bool(player.email)})


# Erasing


@transaction.atomic
def erase(player: Player, by: Actor, *, reason: str = "") -> None:
    """Rule 15.6: forget who *player* was. Results stay, under "deleted player"; no hash changes.

    Nickname, former names, country, address and account go, every proof dies, and the names are free again.
    """
    player, at = lock(player), clock.now()
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
    personal_bests.show_anew(player)
    player.tokens.all().delete()
    player.webhooks.all().delete()
    for delivery in Delivery.objects.filter(body__player__number=player.pk):
        delivery.body["player"]["name"] = DELETED
        delivery.save(update_fields=["body"])
    for listed in (Tester.names, Tester.told):
        listed.through.objects.filter(player__in=rows_of(player)).delete()
    player.reports.update(email="", text="")
    # What everybody may read of a question is the organisers' wording; the player's own was never public.
    player.questions.update(text="")
    # A level that the organisers took stays theirs to publish with the name its author wrote; all else was private.
    player.proposals.exclude(state=Proposal.State.ACCEPTED).delete()
    player.proposals.update(player=None, note="")
    Prize.objects.filter(player__in=rows_of(player)).update(contact="", contact_at=None)
    # The sender's own words for a repeated request; nothing needs them later.
    Submission.objects.of(player).update(idempotency_key=None)
    audit_log.record(by, "erase", player, reason=reason)


def _forget_talk(rows: Iterable[int], at: datetime) -> None:
    """Rule 27.5: words, votes and stars go; that somebody wrote there stays."""
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
    """End the letters to the address of *player* that its account has verified: any other may be a stranger's."""
    rows = Player.objects.filter(pk__in=rows_of(player))
    verified = EmailAddress.objects.filter(user__in=rows.exclude(owner=None).values("owner"), verified=True)
    theirs = set(verified.values_list("email", flat=True))
    given = set(rows.exclude(email="").values_list("email", flat=True))
    Subscriber.objects.filter(email__in=theirs & given).delete()


# Shared


def lock(player: Player) -> Player:
    """The row of *player*, locked, as it is now; only a living player is acted on. Raise Impossible."""
    held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if held.merged_into_id or held.erased_at:
        raise Impossible(_("This player was merged into another, or erased."))
    return held


def rows_of(player: Player) -> list[int]:
    return [player.pk, *player.aliases.values_list("pk", flat=True)]


def _has_history(player: Player) -> bool:
    return player.placings.exists() or player.is_imported


def nobodys_hash() -> str:
    """The hash of a secret that nobody holds."""
    return sha256_of(new_secret())


def lock_levels(player: Player) -> list[Level]:
    """The levels of every round *player* has entered, locked as the judge does, before any submission is."""
    rounds = Submission.objects.of(player).values("round")
    return list(Level.objects.select_for_update().filter(round__in=rounds).order_by("pk"))


def recount(levels: Iterable[Level], *players: Player) -> None:
    """Count anew with the rows of *players* as they are now: a best row keeps its player's league."""
    current = Player.objects.in_bulk([player.pk for player in players])
    for level in levels:
        personal_bests.recount(level, current.values())


def rate_anew(*players: Player) -> None:
    """Replay the ratings where one of *players* has any: each is made of all rounds before it (rule 22.1)."""
    if Rating.objects.filter(player__in=players).exists():
        ratings.replay()
