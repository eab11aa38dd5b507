"""Of which levels people may talk, and read what others said, and when (rules 26.3, 27.2, 27.3).

A level in play is public, so it tells nothing that talk about its board rests then. A draft or a scheduled round is not
public: nothing whatever changes for a board that stands in one.
"""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from contest.models import CollectedLevel, Comment, Level
from contest.visibility.of_library import collected_levels
from contest.visibility.of_rounds import in_play, studied_levels
from contest.visibility.viewer import Viewer


def talked_about(model: type[Any], at: datetime) -> QuerySet[Any]:
    """The levels of *model*, of rounds or of collections, that people may talk about at *at*."""
    if model is Level:
        return studied_levels(at)
    elsewhere = in_play(at).filter(key=OuterRef("key")).order_by()
    return collected_levels(Viewer(), at).exclude(Exists(elsewhere))


def is_talked_of(model: type[Any], at: datetime) -> Exists:
    """The same, for the level that the query outside asks for."""
    return Exists(talked_about(model, at).filter(pk=OuterRef("pk")).order_by())


def comments(viewer: Viewer, at: datetime) -> QuerySet[Comment]:
    """What may be read while people may talk about its level; what organisers have hidden by its author alone."""
    of_round = Q(level__in=talked_about(Level, at).order_by().values("pk"))
    of_collection = Q(collected__in=talked_about(CollectedLevel, at).order_by().values("pk"))
    readable = Q(hidden_at=None) | Q(player__in=viewer.players)
    return Comment.objects.filter(of_round | of_collection, readable, deleted_at=None)
