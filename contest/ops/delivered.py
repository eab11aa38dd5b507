"""Rows that come with the site on every migrated database, and that a restore may replace."""

import json
from pathlib import Path
from typing import Any

from django.db import models

from contest.models import OWN_POST_SLUGS, OWN_SLUGS

_PROGRAMS = Path(__file__).parents[1] / "outreach" / "programs.json"  # read by migration 0029
_BY_MODEL = {
    "contest.collection": models.Q(slug__in=OWN_SLUGS),
    "contest.collectedlevel": models.Q(collection__slug__in=OWN_SLUGS),
    "contest.post": models.Q(slug__in=OWN_POST_SLUGS, written_by=None),
    "contest.post_categories": models.Q(post__slug__in=OWN_POST_SLUGS),
    "contest.postcategory": models.Q(posts__slug__in=OWN_POST_SLUGS),
    "contest.program": models.Q(name__in=[one["name"] for one in json.loads(_PROGRAMS.read_text(encoding="utf-8"))]),
    "contest.auditentry": models.Q(act__in=("publish collection", "write post"), actor=None),
}


def exclude_delivered(rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
    """Return the rows without those of the levels, articles and programs that come with the site."""
    delivered = _BY_MODEL.get(rows.model._meta.label_lower)
    return rows.exclude(delivered) if delivered else rows
