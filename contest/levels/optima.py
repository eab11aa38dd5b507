"""Proved optima of public levels with links to their certificates: the table as documents and as rows."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from contest import visibility
from contest.models import Certificate, CollectedLevel, Level

FIELDS = (
    "round", "slot", "collection", "place", "title", "author", "level_sha256", "by", "number", "url",
    "certificate", "bytes", "sha256", "engine", "made_at",
)  # fmt: skip


def find(at: datetime) -> QuerySet[Certificate]:
    """Return the public certificates: those of the newest rounds first, of collections last."""
    newest = F("search__level__round__number").desc(nulls_last=True)
    return visibility.certificates(at).order_by(newest, "search__collected", "search", "kind")


def with_certificates(levels: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate levels of a round or of collections with whether `of_level` has to ask; most have no certificate."""
    of = "level" if levels.model is Level else "collected"
    known = Certificate.objects.filter(**{f"search__{of}": OuterRef("pk")}, size__gt=0).order_by()
    annotated: QuerySet[Any] = levels.annotate(is_certified=Exists(known))
    return annotated


def of_level(level: Level | CollectedLevel, at: datetime) -> list[Certificate]:
    """Return the public certificates of a level from `with_certificates`; no query if it has none."""
    if not getattr(level, "is_certified", False):
        return []
    rounds = [level.round] if isinstance(level, Level) else []
    of = Q(search__level=level) if isinstance(level, Level) else Q(search__collected=level)
    return list(visibility.certificates(at, rounds).filter(of, size__gt=0).order_by("kind"))


def as_document(row: Certificate) -> dict[str, Any]:
    """Return one line of the table; *row* is of `find`."""
    level = row.level
    place: dict[str, Any] = dict.fromkeys(("round", "slot", "collection", "place"))
    if isinstance(level, Level):
        place |= {"round": level.round.number, "slot": level.slot}
    else:
        place |= {"collection": level.collection.slug, "place": level.place}
    address = settings.SITE_URL + reverse("level-certificate", args=[row.sha256]) if row.size else None
    return place | {
        "title": level.title, "author": level.author, "level_sha256": level.sha256, "by": row.kind,
        "number": row.number, "url": settings.SITE_URL + level.get_absolute_url(), "certificate": address,
        "bytes": row.size or None, "sha256": row.sha256 or None, "engine": row.engine, "made_at": row.made_at,
    }  # fmt: skip


def as_rows(found: Iterable[Certificate]) -> Iterator[list[Any]]:
    """Yield the values of FIELDS for each certificate."""
    for row in found:
        document = as_document(row) | {"made_at": row.made_at.isoformat()}
        yield [document[name] for name in FIELDS]
