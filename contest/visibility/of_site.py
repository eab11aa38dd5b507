"""What everybody may see of the site itself."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from contest.models import Banner, Outage, Post
from contest.visibility.viewer import Viewer


def banners(at: datetime) -> QuerySet[Banner]:
    """What is on every page at *at*."""
    return Banner.objects.filter(Q(shown_until=None) | Q(shown_until__gt=at), shown_from__lte=at)


# The site itself


def outages(at: datetime) -> QuerySet[Outage]:
    """When the site could take no submissions (rule 3.10), for everybody: those of the last 90 days."""
    return Outage.objects.filter(ended_at__gte=at - timedelta(days=90), began_at__lte=at)


def posts(viewer: Viewer, at: datetime) -> QuerySet[Post]:  # noqa: ARG001 - every rule here takes the viewer
    """What organisers have written for everybody, from its time on, newest first."""
    return Post.objects.published(at)
