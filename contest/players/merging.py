"""Merge two names into one player, and undo it (rule 4.13). Each action is audited.

Both are jobs of a worker (`organising.long_acts`). While one is unended, no other act on the two players is possible.
"""

from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from contest.infra import clock
from contest.models import (
    AuditEntry,
    Comment,
    Disqualification,
    Level,
    LevelResult,
    LongAct,
    Placing,
    Player,
    Prize,
    Proposal,
    Question,
    Run,
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
from contest.players.acts import Impossible, check_unmoving, lock, nobodys_hash, recompute_ratings, recount
from contest.rankings import collected, personal_bests, runs
from contest.staff import audit_log
from contest.staff.audit_log import Actor

AT_ONCE = 200  # submissions that one transaction moves
RESULTS_AT_ONCE = 50  # results on collections, or runs
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
def merge(source: Player, target: Player, by: Actor, *, reason: str) -> LongAct:
    """Make *source* a name of *target*: their submissions are ranked as one player's (rule 4.13). Raise Impossible.

    The name, its tokens, comments and places in final results move at once. A worker moves the submissions and results
    (`move_next`), so each transaction stays short. Meanwhile both appear on the boards that are not done.
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
    names = list(source.aliases.values_list("pk", flat=True))
    moved = {model.__name__: _movable(model, source, target) for model in (*_ONE_EACH, *_ANY_NUMBER)}
    for model in (*_ONE_EACH, *_ANY_NUMBER):
        if model is not Disqualification:  # with the name it applies to both until the last submission has moved
            _give(model._default_manager.filter(pk__in=moved[model.__name__]), target)
    Player.objects.filter(pk__in=[source.pk, *names]).update(merged_into=target)
    _count_votes(source, target)
    audit_log.record(by, "merge", source, reason=reason, after={"into": target.pk, "names": names, "moved": moved})
    return _begin(LongAct.Kind.MERGE, source, target, by, names=names, rulings=moved[Disqualification.__name__])


@transaction.atomic
def unmerge(source: Player, by: Actor, *, reason: str) -> LongAct:
    """Undo a merge: return to *source* the moved rows and all that was sent under its names. Raise Impossible.

    A worker returns the submissions and results (`return_next`).
    """
    source, target = _held_merged(source)
    names = _separate(source, target)
    audit_log.record(by, "unmerge", source, reason=reason, before={"into": target.pk})
    return _begin(LongAct.Kind.UNMERGE, source, target, by, names=names)


def cancel_merge(job: LongAct) -> dict[str, Any]:
    """Separate the names of an unfinished merge again; return the fields to write to its row."""
    source, target = _held_merged(job.source or Player(), is_moving=True)
    _separate(source, target)
    return {"done": _count(target, _names(job))}


def move_next(job: LongAct) -> int:
    """Give the next submissions and results of the merged name to its player; return how many, 0 after the last."""
    return _give_next(job.source, job.target, None)


def return_next(job: LongAct) -> int:
    """Return the next submissions and results to the name that they were sent under; return how many."""
    return _give_next(job.target, job.source, _names(job))


def finish(job: LongAct) -> list[str]:
    """Give the player the rulings of the name, rate the rounds of both, and return what the organiser has to do.

    A final result in which both have a place changes only by a revision (rule 14.4). If only the merged name had one,
    it is the player's, in the hall of fame and in ratings.
    """
    players = [player for player in (job.source, job.target) if player]
    if job.kind == LongAct.Kind.MERGE and not job.is_being_undone:
        Disqualification.objects.filter(pk__in=job.given["rulings"]).update(player=job.target)
    # Their rulings have changed hands, so what was judged meanwhile may count, or no longer count.
    ruled = Disqualification.objects.filter(player__in=players).order_by().values("round")
    recount(Level.objects.filter(round__in=ruled), *players)
    recompute_ratings(*players)
    both = Placing.objects.filter(player=job.source).values_list("round__number", flat=True)
    if job.kind != LongAct.Kind.MERGE or job.state == LongAct.State.UNDOING or not both:
        return []
    text = _("Both players are in the final results of rounds %(rounds)s. Publish a revision of these results.")
    return [text % {"rounds": ", ".join(map(str, sorted(both)))}]


def _separate(source: Player, target: Player) -> list[int]:
    """Make *source* a player again with its former names and moved rows; return the keys of these names."""
    entry = AuditEntry.objects.filter(act="merge", target=audit_log.target_name(source)).order_by("-at", "-pk").first()
    if not entry:
        raise Impossible(_("This player was not merged."))
    names = Player.objects.filter(pk__in=entry.after["names"], merged_into=target)
    keys = list(names.values_list("pk", flat=True))
    names.update(merged_into=source)
    Player.objects.filter(pk=source.pk).update(merged_into=None)
    for model in (*_ONE_EACH, *_ANY_NUMBER):
        # Older entries lack the models that were added to merges later.
        rows = model._default_manager.filter(pk__in=entry.after["moved"].get(model.__name__, []))
        _give(rows.filter(player=target), source)
    _count_votes(source, target)
    return keys


def _begin(kind: LongAct.Kind, source: Player, target: Player, by: Actor, **given: list[int]) -> LongAct:
    total = _count(source, None) if kind == LongAct.Kind.MERGE else _count(target, [source.pk, *given["names"]])
    return LongAct.objects.ask(kind, by, clock.now(), source=source, target=target, given=given, total=total)


def _names(job: LongAct) -> list[int]:
    """Return the keys of the names that were sent under before the merge."""
    return [job.source_id or 0, *job.given["names"]]


def _count(player: Player, sent_as: list[int] | None) -> int:
    return sum(rows.count() for rows in _rows_of(player, sent_as))


def _rows_of(player: Player | None, sent_as: list[int] | None) -> tuple[models.QuerySet[Any], ...]:
    """Return the submissions, results on collections and runs of *player*, all or those sent under some names."""
    chosen = {"player": player} if sent_as is None else {"player": player, "sent_as__in": sent_as}
    return tuple(model._default_manager.filter(**chosen) for model in (Submission, LevelResult, Run))


def _give_next(giver: Player | None, taker: Player | None, sent_as: list[int] | None) -> int:
    sent, results, run_rows = _rows_of(giver, sent_as)
    if giver is None or taker is None:
        return 0
    both = Player.objects.filter(pk__in=[giver.pk, taker.pk]).order_by("pk")
    list(both.select_for_update(no_key=True).values_list("pk"))
    if batch := dict(sent.order_by("round", "pk").values_list("pk", "round")[:AT_ONCE]):
        # The same lock order as the judge's: levels before submissions.
        wanted = Level.objects.filter(round__in=set(batch.values())).order_by("pk")
        levels = list(wanted.select_for_update(no_key=True))
        sent.filter(pk__in=batch).update(player=taker)
        recount(levels, giver, taker)
        return len(batch)
    given = collected.give(results.order_by("level", "pk")[:RESULTS_AT_ONCE], taker)
    return given or runs.give(run_rows.order_by("pk")[:RESULTS_AT_ONCE], taker)


def _movable(model: type[models.Model], source: Player, target: Player) -> list[int]:
    """Return the keys of the rows of *source*, except for rounds or levels where *target* has its own."""
    rows, known = (model._default_manager.filter(player=player) for player in (source, target))
    if model is Disqualification:
        known = known.filter(lifted_at=None)  # a lifted one does not conflict
    for column in _ONE_EACH.get(model, ()):
        rows = rows.exclude(**{f"{column}__in": known.exclude(**{column: None}).values(column)})
    return list(rows.values_list("pk", flat=True))


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


def _held_merged(source: Player, *, is_moving: bool = False) -> tuple[Player, Player]:
    """Lock and return a merged name and its current player. Raise Impossible if it leads to none."""
    rows = [source.pk, Player.objects.values_list("merged_into", flat=True).get(pk=source.pk)]
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=[pk for pk in rows if pk]).order_by("pk")
    held = {player.pk: player for player in locked}
    source = held[source.pk]
    # Another request may have split or merged them while this one waited.
    target = held.get(source.merged_into_id) if source.merged_into_id else None
    if target is None or target.merged_into_id or target.erased_at:
        raise Impossible(_("This player was not merged."))
    if not is_moving:
        check_unmoving(source, target)
    return source, target
