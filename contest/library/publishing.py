"""Publish collections, which everybody may then play (rule 26)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
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
def publish_intake(collection: Collection, intake: Intake, *, at: datetime, by: audit_log.Actor) -> Collection:
    """Publish the playable levels of an imported collection. Raise ValidationError with a message."""
    if intake.is_busy:
        raise ValidationError(_("The collection is still being read."))
    rows = IntakeLevel.objects.filter(intake=intake, standing__in=PLAYABLE).order_by("place")
    levels = (
        CollectedLevel(
            title=row.title, author=row.author or collection.author, text=row.text, sha256=row.sha256, key=row.key,
            width=row.width, height=row.height, boxes=row.boxes,
        )
        for row in rows.defer("solution", "problems").iterator(chunk_size=_AT_ONCE)
    )  # fmt: skip
    return _publish(collection, levels, at=at, by=by)


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
    return _publish(collection, rows, at=at, by=by)


def _publish(
    collection: Collection, levels: Iterable[CollectedLevel], *, at: datetime, by: audit_log.Actor
) -> Collection:
    collection.published_at = at
    collection.published_by = by if isinstance(by, User) else None
    collection.full_clean()
    collection.save(force_insert=True)
    count = 0
    placed = _place(levels, collection)
    while piece := list(islice(placed, _AT_ONCE)):
        count += len(CollectedLevel.objects.bulk_create(piece))
    if not count:
        raise ValidationError(_("No level of this collection can be played."))
    collection.count = count
    collection.save(update_fields=["count"])
    audit_log.record(by, "publish collection", collection, after=_facts(collection))
    return collection


def _place(levels: Iterable[CollectedLevel], collection: Collection) -> Iterator[CollectedLevel]:
    for place, level in enumerate(levels, 1):
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
    collection.save()
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
