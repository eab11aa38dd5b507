"""Merge two names into one player, and undo it (rule 4.13). Each action is audited."""

from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from contest.models import (
    AuditEntry,
    Comment,
    Disqualification,
    Placing,
    Player,
    Prize,
    Proposal,
    Question,
    SealedAnswer,
    SeenSolutions,
    Star,
    Submission,
    Token,
    VirtualStart,
    Vote,
    Webhook,
)
from contest.models.outreach.prize import PrizeQuerySet
from contest.players.acts import Impossible, lock, lock_levels, nobodys_hash, recompute_ratings, recount
from contest.rankings import collected, personal_bests, runs
from contest.staff import audit_log
from contest.staff.audit_log import Actor

# Models that a merge moves: in the first a player has one row for each column, in the second any number.
_ONE_EACH: dict[type[models.Model], tuple[str, ...]] = {
    **dict.fromkeys((Placing, Disqualification, VirtualStart, SeenSolutions), ("round",)),
    Vote: ("level", "collected"),
    Star: ("level", "collected", "followed"),
}
_ANY_NUMBER: tuple[type[models.Model], ...] = (
    Question,
    Token,
    Webhook,
    Proposal,
    Comment,
    Prize,
    SealedAnswer,
)


@transaction.atomic
def merge(source: Player, target: Player, by: Actor, *, reason: str) -> list[int]:
    """Make *source* a name of *target*: their submissions are ranked as one player's (rule 4.13). Raise Impossible.

    Return the numbers of the final rounds in which both had a place: a final result changes only by a revision (rule
    14.4). If only *source* had one, it becomes *target*'s, in the hall of fame and in ratings.
    """
    source, target = _lock_both(source, target)
    if source.pk == target.pk:
        raise Impossible(_("These are already the same player."))
    if source.league != target.league:
        raise Impossible(_("A human and a program cannot be one player. Correct the league first."))
    if target.is_open and not source.is_open:
        # Otherwise a sender of the open name from an old program would enter as both.
        Player.objects.filter(pk=target.pk).update(claim_sha256=nobodys_hash())
        personal_bests.refresh_display(target)  # no longer marked "unclaimed"
    levels = lock_levels(source)
    names = list(source.aliases.values_list("pk", flat=True))
    moved = {model.__name__: _move(model, source, target) for model in (*_ONE_EACH, *_ANY_NUMBER)}
    Player.objects.filter(pk__in=[source.pk, *names]).update(merged_into=target)
    Submission.objects.of(source).update(player=target)
    collected.give(source, target)
    runs.give(source, target)
    _count_votes(source, target)
    recount(levels, source, target)
    recompute_ratings(source, target)
    audit_log.record(by, "merge", source, reason=reason, after={"into": target.pk, "names": names, "moved": moved})
    return sorted(Placing.objects.filter(player=source).values_list("round__number", flat=True))


@transaction.atomic
def unmerge(source: Player, by: Actor, *, reason: str) -> None:
    """Undo a merge: return to *source* the moved rows and all that was sent under its names. Raise Impossible."""
    source, target = _held_merged(source)
    entry = AuditEntry.objects.filter(act="merge", target=audit_log.target_name(source)).order_by("-at", "-pk").first()
    if not entry:
        raise Impossible(_("This player was not merged."))
    levels = lock_levels(target)
    names = Player.objects.filter(pk__in=entry.after["names"], merged_into=target)
    source_rows = [source.pk, *names.values_list("pk", flat=True)]
    names.update(merged_into=source)
    Player.objects.filter(pk=source.pk).update(merged_into=None)
    for model in (*_ONE_EACH, *_ANY_NUMBER):
        # Older entries lack the models that were added to merges later.
        rows = model._default_manager.filter(pk__in=entry.after["moved"].get(model.__name__, []))
        _give(rows.filter(player=target), source)
    Submission.objects.of(target).filter(sent_as__in=source_rows).update(player=source)
    collected.give(target, source, sent_as=source_rows)
    runs.give(target, source, sent_as=source_rows)
    _count_votes(source, target)
    recount(levels, source, target)
    recompute_ratings(source, target)
    audit_log.record(by, "unmerge", source, reason=reason, before={"into": target.pk})


def _move(model: type[models.Model], source: Player, target: Player) -> list[int]:
    """Move rows from *source* to *target*, except for rounds or levels where it has its own; return their keys."""
    rows, known = (model._default_manager.filter(player=player) for player in (source, target))
    if model is Disqualification:
        known = known.filter(lifted_at=None)  # a lifted one does not conflict
    for column in _ONE_EACH.get(model, ()):
        rows = rows.exclude(**{f"{column}__in": known.exclude(**{column: None}).values(column)})
    moved = list(rows.values_list("pk", flat=True))
    _give(model._default_manager.filter(pk__in=moved), target)
    return moved


def _give(rows: models.QuerySet[Any], player: Player) -> None:
    if isinstance(rows, PrizeQuerySet):
        rows.give(player)  # erases the contact: the other name's owner may be another person
    else:
        rows.update(player=player)


def _count_votes(*players: Player) -> None:
    votes = Vote.objects.filter(player__in=players).exclude(collected=None)
    collected.count_votes(votes.values_list("collected", flat=True))


def _lock_both(player: Player, other_player: Player) -> tuple[Player, Player]:
    """Lock two players in the order of their numbers, to prevent a deadlock between two actions."""
    held = {player.pk: lock(player) for player in sorted((player, other_player), key=lambda player: player.pk)}
    return held[player.pk], held[other_player.pk]


def _held_merged(source: Player) -> tuple[Player, Player]:
    """Lock and return a merged name and its current player. Raise Impossible if it leads to none."""
    rows = [source.pk, Player.objects.values_list("merged_into", flat=True).get(pk=source.pk)]
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=[pk for pk in rows if pk]).order_by("pk")
    held = {player.pk: player for player in locked}
    source = held[source.pk]
    # Another request may have split or merged them while this one waited.
    target = held.get(source.merged_into_id) if source.merged_into_id else None
    if target is None or target.merged_into_id or target.erased_at:
        raise Impossible(_("This player was not merged."))
    return source, target
