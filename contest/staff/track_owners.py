"""Permissions of organisers who own only some tracks (docs/how-to/organising.md); no other module decides them.

A user with a permission has it over all rounds and series. A user with `own_track` has the permissions `OWNED` over
the rounds and series of their own tracks only, and may open only those desk pages that name `own_track`.
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
_CACHE_ATTRIBUTE = "_tracks_owned"
Rows = TypeVar("Rows", bound=QuerySet[Any])


def owned_tracks(user: User | AnonymousUser) -> tuple[Track, ...]:
    """Return the tracks that *user* owns, in their order; queried once per user object."""
    if not isinstance(user, User) or not user.has_perm(f"contest.{OWN}"):
        return ()
    cached: tuple[Track, ...] | None = getattr(user, _CACHE_ATTRIBUTE, None)
    if cached is None:
        cached = tuple(user.owned_tracks.all())
        setattr(user, _CACHE_ATTRIBUTE, cached)
    return cached


def owned_slugs(user: User | AnonymousUser) -> tuple[str, ...]:
    """Return the slugs of the tracks that *user* owns, in their order."""
    return tuple(track.slug for track in owned_tracks(user))


def may(user: User | AnonymousUser, permission: str, track: str | None = None) -> bool:
    """Return True if *user* has *permission* over *track*; without *track*, over any track at all."""
    if user.has_perm(f"contest.{permission}"):
        return True
    own = owned_slugs(user) if permission in OWNED else ()
    return bool(own) if track is None else track in own


def filter_rows(user: User, rows: Rows, *permissions: str, by: str = "track") -> Rows:
    """Return the *rows* over which *user* has one of *permissions*; *by* is the lookup from a row to its track."""
    if any(user.has_perm(f"contest.{permission}") for permission in permissions):
        return rows
    own = owned_slugs(user) if OWNED.intersection(permissions) else ()
    return rows.filter(**{f"{by}__in": own}) if own else rows.none()


def default_track(user: User, permission: str) -> str | None:
    """Return the default track of *user*: the main one if *permission* covers it, else an own one, else None."""
    if may(user, permission, MAIN):
        return MAIN
    return next(iter(owned_slugs(user)), None) if may(user, permission) else None
