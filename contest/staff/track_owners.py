"""Organisers of some tracks only (docs/organising.md): the one place that says what they may, and where.

Whoever has a permission has it over every round and series. Who has `own_track` has those of `OWNED` over the rounds
and series of the tracks they own, and over nothing else; a page of the desk lets them in only where it names that.
"""

from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from contest.models import MAIN, Track

OWN = "own_track"
OWNED = frozenset(
    {
        "add_round", "change_round", "view_round", "view_level", "add_series", "change_series", "view_series",
        "view_submission", "change_submission",
    }
)  # fmt: skip
_KEPT = "_tracks_owned"
Rows = TypeVar("Rows", bound=QuerySet[Any])


def tracks(user: User | AnonymousUser) -> tuple[Track, ...]:
    """The tracks that *user* owns, by their order; asked once."""
    if not isinstance(user, User) or not user.has_perm(f"contest.{OWN}"):
        return ()
    kept: tuple[Track, ...] | None = getattr(user, _KEPT, None)
    if kept is None:
        kept = tuple(user.owned_tracks.all())
        setattr(user, _KEPT, kept)
    return kept


def slugs(user: User | AnonymousUser) -> tuple[str, ...]:
    """The names of the tracks that *user* owns, by their order."""
    return tuple(track.slug for track in tracks(user))


def may(user: User | AnonymousUser, permission: str, track: str | None = None) -> bool:
    """Whether *user* has *permission* over what belongs to *track*; without one, over any at all."""
    if user.has_perm(f"contest.{permission}"):
        return True
    own = slugs(user) if permission in OWNED else ()
    return bool(own) if track is None else track in own


def within(user: User, rows: Rows, *permissions: str, by: str = "track") -> Rows:
    """Those of *rows* over which *user* has one of *permissions*; *by* leads from a row to its track."""
    if any(user.has_perm(f"contest.{permission}") for permission in permissions):
        return rows
    own = slugs(user) if OWNED.intersection(permissions) else ()
    return rows.filter(**{f"{by}__in": own}) if own else rows.none()


def usual(user: User, permission: str) -> str | None:
    """The track that *user* means where they name none: the main one, if it is theirs; None where none is."""
    if may(user, permission, MAIN):
        return MAIN
    return next(iter(slugs(user)), None) if may(user, permission) else None
