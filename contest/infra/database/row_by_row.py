"""EXISTS condition evaluated by one index lookup per outer row.

For an `Exists` PostgreSQL assumes that all outer rows are tested, even if a page ends after forty, and reads the whole
other table first. For a scalar subquery it uses an index instead.
"""

from typing import Any

from django.db.models import Q, QuerySet, Subquery
from django.db.models.lookups import IsNull


def row_exists(rows: QuerySet[Any]) -> Q:
    """Return a condition like `Exists`: *rows*, which refer to the outer row by `OuterRef`, are not empty."""
    return Q(IsNull(Subquery(rows.order_by().values("pk")[:1]), False))  # noqa: FBT003 - as in SQL
