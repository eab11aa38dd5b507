"""Levels and posts open to discussion, and comments that may be read (rules 26.3, 27.2, 27.3).

A level in play is public, so suspending the discussion of its board reveals nothing. Drafts and scheduled rounds are
not public: nothing changes for a board that appears in one.
"""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from contest.models import CollectedLevel, Comment, Level, Post, Round
from contest.visibility.of_library import collected_levels
from contest.visibility.of_rounds import in_play, studied_levels
from contest.visibility.of_site import posts
from contest.visibility.viewer import Viewer


def discussable(model: type[Any], at: datetime) -> QuerySet[Any]:
    """Return the levels of rounds or of collections, or the posts, whichever *model* is, open to discussion at *at*.

    A post about a round rests as long as the round's levels do.
    """
    if model is Level:
        return studied_levels(at)
    if model is Post:
        return posts(Viewer(), at).exclude(round__in=Round.objects.in_play(at))
    elsewhere = in_play(at).filter(key=OuterRef("key")).order_by()
    return collected_levels(Viewer(), at).exclude(Exists(elsewhere))


def is_discussable(model: type[Any], at: datetime) -> Exists:
    """Return the same condition for the outer query's row."""
    return Exists(discussable(model, at).filter(pk=OuterRef("pk")).order_by())


def comments(viewer: Viewer, at: datetime) -> QuerySet[Comment]:
    """Return comments on levels and posts open to discussion; hidden ones only to their author."""
    of_round = Q(level__in=discussable(Level, at).order_by().values("pk"))
    of_collection = Q(collected__in=discussable(CollectedLevel, at).order_by().values("pk"))
    of_post = Q(post__in=discussable(Post, at).order_by().values("pk"))
    readable = Q(hidden_at=None) | Q(player__in=viewer.players)
    return Comment.objects.filter(of_round | of_collection | of_post, readable, deleted_at=None)
