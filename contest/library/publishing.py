"""Publish collections, which everybody may then play (rule 26)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from contest.models import CollectedLevel, Collection, Intake, IntakeLevel
from contest.models.library.collection import words_of
from contest.staff import audit_log
from solvers.sokoban.level import Level

Standing = IntakeLevel.Standing
# An unsolved level may be played like any other: its players may find out whether it can be solved.
PLAYABLE = (Standing.READY, Standing.WARNED, Standing.UNSOLVED)
_AT_ONCE = 1_000


@dataclass(frozen=True)
class LevelFacts:
    """Facts about a level beyond its board."""

    grade: int | None = None
    least_moves: int | None = None
    least_pushes: int | None = None


@transaction.atomic
def publish_intake(collection: Collection, intake: Intake, *, at: datetime, by: User) -> Collection:
    """Have a worker publish the playable levels of an imported collection, which is withdrawn until all are copied.

    Raise ValidationError with a message.
    """
    intake = Intake.objects.select_for_update().get(pk=intake.pk)
    if intake.is_busy:
        raise ValidationError(_("The collection is still being read."))
    if not _playable(intake).exists():
        raise ValidationError(_("No level of this collection can be played."))
    collection.published_at, collection.published_by, collection.withdrawn_at = at, by, at
    collection.full_clean()
    collection.save(force_insert=True)
    labels = {**intake.labels, "published_as": collection.pk, "given_up": ""}
    Intake.objects.filter(pk=intake.pk).update(
        state=Intake.State.PUBLISHING, labels=labels, claim_token=None, attempts=0
    )
    return collection


@transaction.atomic
def copy_next(intake: Intake) -> bool:
    """Copy the next levels to the collection that is being published; return whether there were any left.

    After the last ones everybody can see it. The caller holds the claim.
    """
    collection = Collection.objects.get(pk=intake.labels["published_as"])
    rows = _playable(intake).defer("solution", "problems")[collection.count : collection.count + _AT_ONCE]
    levels = [
        CollectedLevel(
            title=row.title, author=row.author or collection.author, text=row.text, sha256=row.sha256, key=row.key,
            width=row.width, height=row.height, boxes=row.boxes, is_public=False,
        )
        for row in rows
    ]  # fmt: skip
    CollectedLevel.objects.bulk_create(_place(levels, collection))
    collection.count += len(levels)
    collection.save(update_fields=["count"])
    if not levels:
        _turn(collection, None)
        audit_log.record(collection.published_by, "publish collection", collection, after=_facts(collection))
    return bool(levels)


def whole() -> QuerySet[Collection]:
    """Return the collections without those that are still being copied: only the worker shows these."""
    busy = Intake.objects.filter(state=Intake.State.PUBLISHING).values_list("labels", flat=True)
    return Collection.objects.exclude(pk__in=[labels["published_as"] for labels in busy])


def copied(intake: Intake) -> int:
    """Return how many levels of an imported collection have been copied for publishing."""
    made = Collection.objects.filter(pk=intake.labels.get("published_as"))
    return made.values_list("count", flat=True).first() or 0


def give_up(intake: Intake) -> None:
    """Delete the collection that is being published."""
    made = intake.labels["published_as"]
    CollectedLevel.objects.filter(collection=made).delete()
    Collection.objects.filter(pk=made).delete()


def _playable(intake: Intake) -> QuerySet[IntakeLevel]:
    return IntakeLevel.objects.filter(intake=intake, standing__in=PLAYABLE).order_by("place")


@transaction.atomic
def publish_levels(
    collection: Collection, levels: Iterable[tuple[Level, str, LevelFacts]], *, at: datetime, by: audit_log.Actor
) -> Collection:
    """Publish boards with titles and proved facts."""
    rows = (
        CollectedLevel(
            title=title, author=collection.author, text=board.published_text, sha256=board.sha256, key=board.key,
            width=board.width, height=board.height, boxes=len(board.boxes), **vars(proved),
        )
        for board, title, proved in levels
    )  # fmt: skip
    collection.published_at, collection.published_by = at, by if isinstance(by, User) else None
    collection.full_clean()
    collection.save(force_insert=True)
    collection.count = len(CollectedLevel.objects.bulk_create(_place(rows, collection), batch_size=_AT_ONCE))
    collection.save(update_fields=["count"])
    audit_log.record(by, "publish collection", collection, after=_facts(collection))
    return collection


def _place(levels: Iterable[CollectedLevel], collection: Collection) -> Iterator[CollectedLevel]:
    for place, level in enumerate(levels, collection.count + 1):
        level.collection, level.place = collection, place
        level.area = level.width * level.height
        level.words = words_of(level.title, level.author)
        level.published_at = collection.published_at
        yield level


@transaction.atomic
def change(collection: Collection, *, by: audit_log.Actor) -> None:
    """Save the editable fields of a published collection; its URL and levels cannot change."""
    before = _facts(Collection.objects.select_for_update().get(pk=collection.pk))
    collection.full_clean()
    fields = (field for field in collection._meta.concrete_fields if field.editable and not field.primary_key)
    collection.save(update_fields=[field.name for field in fields])  # not the others: a withdrawal may be changing them
    audit_log.record(by, "change collection", collection, before=before, after=_facts(collection))


@transaction.atomic
def withdraw(collection: Collection, *, at: datetime, by: audit_log.Actor) -> None:
    """Hide a collection with all its levels; its results are kept and return with it."""
    _turn(collection, at)
    audit_log.record(by, "withdraw collection", collection, after={"levels": collection.count})


@transaction.atomic
def show_again(collection: Collection, *, by: audit_log.Actor) -> None:
    """Publish a withdrawn collection again."""
    _turn(collection, None)
    audit_log.record(by, "show collection again", collection, after={"levels": collection.count})


def _turn(collection: Collection, withdrawn_at: datetime | None) -> None:
    Collection.objects.filter(pk=collection.pk).update(withdrawn_at=withdrawn_at)
    CollectedLevel.objects.filter(collection=collection).update(is_public=withdrawn_at is None)


def _facts(collection: Collection) -> dict[str, object]:
    names = ("slug", "title_en", "author", "licence", "rights", "may_download", "count")
    return {name: getattr(collection, name) for name in names}
