"""Public data about the site itself."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Count, Q, QuerySet

from contest.models import (
    Banner,
    Disqualification,
    Note,
    Outage,
    Picture,
    Post,
    PostCategory,
    Question,
    Round,
    Snapshot,
)
from contest.models.outreach.post import PostQuerySet
from contest.visibility.viewer import Viewer


def banners(at: datetime) -> QuerySet[Banner]:
    """Return the banners shown on every page at *at*."""
    return Banner.objects.filter(Q(shown_until=None) | Q(shown_until__gt=at), shown_from__lte=at)


# The site itself


def outages(at: datetime) -> QuerySet[Outage]:
    """Return the outages of the last 90 days, in which the site took no submissions (rule 3.10)."""
    return Outage.objects.filter(ended_at__gte=at - timedelta(days=90), began_at__lte=at)


def posts(viewer: Viewer, at: datetime) -> PostQuerySet:  # noqa: ARG001 - every rule here takes the viewer
    """Return published posts of organisers, newest first."""
    return Post.objects.published(at)


def post_categories(viewer: Viewer, at: datetime) -> QuerySet[PostCategory]:
    """Return categories of posts that the viewer may see, each with the number of those posts."""
    public = Q(posts__in=posts(viewer, at).order_by().values("pk"))
    return PostCategory.objects.annotate(post_count=Count("posts", filter=public)).filter(post_count__gt=0)


def pictures(viewer: Viewer, at: datetime) -> QuerySet[Picture]:
    """Return pictures in posts that the viewer may see; other numbers do not exist for the viewer."""
    return Picture.objects.filter(pk__in=posts(viewer, at).order_by().values("pictures"))


# Times from or until which rows are shown: may be in the future, as may times of acts if another clock is ahead.
_TIMES = {
    Round: (
        "announced_at", "opens_at", "closes_at", "make_up_opens_at", "make_up_closes_at", "reveal_waits_until",
        "finalised_at", "cancelled_at",
    ),
    Banner: ("shown_from", "shown_until"),
    Post: ("published_at",),
    Note: ("written_at",),
    Question: ("answered_at",),
    Disqualification: ("ruled_at",),
    Snapshot: ("made_at",),
}  # fmt: skip


def changes_by_time(after: datetime, before: datetime) -> bool:
    """Return whether anything becomes or ceases to be public at a time between the two. One query."""
    between = connection.ops.adapt_datetimefield_value(after), connection.ops.adapt_datetimefield_value(before)
    conditions: list[str] = []
    values: list[str | datetime | None] = []
    for model, fields in _TIMES.items():
        condition = " OR ".join(f"({field} > %s AND {field} < %s)" for field in fields)
        conditions.append(f"EXISTS (SELECT 1 FROM {model._meta.db_table} WHERE {condition})")  # noqa: S608 - our own names
        values += between * len(fields)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {' OR '.join(conditions)}", values)
        return bool(cursor.fetchone()[0])
