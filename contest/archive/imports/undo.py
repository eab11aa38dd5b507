"""Undo an import: remove the rounds and players that it brought, if nothing else rests on them.

The audit log names them (`importer.store`). A relation of a model that is not listed here counts as something that
rests on its row, so a model that is added later blocks an undo instead of losing rows.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contest import rounds
from contest.infra.database import locks
from contest.models import (
    AuditEntry,
    Best,
    Disqualification,
    Event,
    Film,
    Level,
    LongAct,
    LuckyNumber,
    Note,
    Placing,
    Player,
    Rating,
    Round,
    RoundImport,
    Search,
    SecondLook,
    SeenSolutions,
    Snapshot,
    Star,
    Submission,
    Verification,
    VirtualStart,
)
from contest.players.claims import has_owner
from contest.rankings import ratings
from contest.staff import audit_log

MOST_REASONS = 100
AT_ONCE = 5  # rounds removed in one transaction: on SQLite all other writers wait for it
# Rows that belong to a round and go with it: imported ones, and what the site derives or records about it.
_OWN = (
    *(Best, Disqualification, Event, Film, Level, LuckyNumber, Note, Placing, Rating, Search, SeenSolutions),
    *(Snapshot, Submission, Verification),
)
# Names of the models that have none in both languages.
_KINDS = {
    LongAct: gettext_lazy("merges of nicknames"),
    SecondLook: gettext_lazy("requests for a second organiser"),
    Star: gettext_lazy("stars"),
    VirtualStart: gettext_lazy("timed practice"),
}


class NotUndone(ValueError):
    """Nothing was removed; *reasons* are sentences in the user's language."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = reasons
        super().__init__("\n".join(reasons))


def brought_rounds(job: RoundImport) -> QuerySet[Round]:
    """Return the rounds that *job* imported and that are still here, the newest first."""
    return Round.objects.filter(pk__in=[entry.after["round"] for entry in _entries(job)]).order_by("-number")


def brought_players(job: RoundImport) -> QuerySet[Player]:
    """Return the players that *job* created and that are still here."""
    return Player.objects.filter(pk__in=[pk for entry in _entries(job) for pk in entry.after["players"]])


def _entries(job: RoundImport) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(act="import", after__import=job.pk)


def reasons(job: RoundImport) -> list[str]:
    """Return why *job* cannot be undone, by the names of rounds and players."""
    brought, created = brought_rounds(job), brought_players(job)
    if not (brought.exists() or created.exists()):  # or an older version imported it, which did not record that
        return [_("The log names no round of this import that is still here.")]
    return [*_rest_on_rounds(brought), *_rest_on_players(created, brought)][:MOST_REASONS]


@transaction.atomic
def remove_rounds(job: RoundImport) -> int:
    """Remove some rounds with their levels, submissions and results; return how many. Raise NotUndone."""
    rounds.lock_calendar()
    batch = list(brought_rounds(job)[:AT_ONCE])
    here = Round.objects.filter(pk__in=[round_.pk for round_ in batch])
    if found := list(_rest_on_rounds(here)):
        raise NotUndone(*found)
    entered = Submission.objects.filter(round__in=batch)
    _remove_events(batch)
    ratings.remove(batch)
    for rows in (
        Best.objects.filter(level__round__in=batch),
        Verification.objects.filter(submission__in=entered.order_by().values("pk")),
        *(model._default_manager.filter(round__in=batch) for model in (Placing, Snapshot, Disqualification, Note)),
        entered,
        Level.objects.filter(round__in=batch),
    ):
        rows.delete()
    for round_ in batch:
        before = {"import": job.pk, "closes_at": round_.closes_at.isoformat(), "track": round_.track_id}
        audit_log.record(job.asked_by, "undo import", round_, before=before)
    here.delete()
    return len(batch)


@transaction.atomic
def remove_players(job: RoundImport) -> None:
    """Remove the players that *job* created; its rounds are removed already. Raise NotUndone."""
    brought = brought_players(job)
    list(brought.select_for_update(no_key=True))
    if found := list(_rest_on_players(brought, Round.objects.none())):
        raise NotUndone(*found)
    brought.delete()


def rate_again(job: RoundImport) -> Iterator[None]:
    """Rate the rounds after the first one that was removed (rule 22.1), some a transaction."""
    removed = AuditEntry.objects.filter(act="undo import", before__import=job.pk)
    first = {entry.before["track"]: entry.before["closes_at"] for entry in removed.order_by("-before__closes_at")}
    return ratings.update_in_steps(
        *(Round(closes_at=datetime.fromisoformat(at), number=0, track_id=track) for track, at in first.items())
    )


def _remove_events(batch: Collection[Round]) -> None:
    """Remove the events of rounds. The newest number of all remains, without a subject, as numbers never come again.

    Clients ask for the events after a number (`outreach.events`).
    """
    locks.take(locks.Turn.EVENTS)
    own = Submission.objects.filter(round__in=batch).order_by().values("pk")  # read once: a join may be loops in loops
    events = Event.objects.filter(Q(round__in=batch) | Q(submission__in=own))
    newest = Event.objects.exclude(number=None).order_by("-number").first()
    if newest:
        events.filter(pk=newest.pk).update(round=None, submission=None, note=None)
    events.delete()


# Rows that rest on others


def _rest_on_rounds(brought: QuerySet[Round]) -> Iterator[str]:
    of_rounds = {"round__in": brought.order_by().values("pk")}
    levels, entered = Level.objects.filter(**of_rounds), Submission.objects.filter(**of_rounds)
    practised = entered.filter(is_imported=False)
    if numbers := sorted(set(practised.values_list("round__number", flat=True))):
        yield _("Rounds with solutions that were sent here: %(rounds)s.") % {"rounds": ", ".join(map(str, numbers))}
    for rows, path in ((brought, "number"), (levels, "round__number"), (entered, "round__number")):
        for kind, counts in _relations(rows, path):
            for number, count in counts:
                values = {"number": number, "kind": kind, "count": count}
                yield _("Round %(number)s: %(kind)s (%(count)s).") % values


def _rest_on_players(brought: QuerySet[Player], removed: QuerySet[Round]) -> Iterator[str]:
    for player in brought.prefetch_related("aliases"):
        if player.merged_into_id or has_owner(player) or not player.is_imported:
            yield _("%(name)s has an owner now, or was joined with another name.") % {"name": player}
    entered = Submission.objects.exclude(round__in=removed.order_by().values("pk"))
    for field in ("player", "sent_as"):
        for name in entered.filter(**{f"{field}__in": brought}).values_list(f"{field}__nickname", flat=True).distinct():
            yield _("%(name)s has results in rounds that this import did not bring.") % {"name": name}
    for kind, counts in _relations(brought, "nickname"):
        for name, count in counts:
            yield _("%(name)s: %(kind)s (%(count)s).") % {"name": name, "kind": kind, "count": count}


def _relations(rows: QuerySet[Any], name: str) -> Iterator[tuple[str, list[tuple[Any, int]]]]:
    """Yield the kinds of rows that refer to *rows* and do not go with them, each with *name* and count."""
    for relation in rows.model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ForeignObjectRel) or relation.related_model in _OWN:
            continue
        field, model = relation.field.name, relation.related_model
        among = rows.order_by().values("pk")
        referring = model._base_manager.filter(**{f"{field}__in": among}).order_by(f"{field}__{name}")
        if counts := list(referring.values_list(f"{field}__{name}").annotate(Count("pk"))):
            yield str(_KINDS.get(model, model._meta.verbose_name_plural)), counts
