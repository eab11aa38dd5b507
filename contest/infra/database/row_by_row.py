"""Whether there is a row, asked anew for each row outside.

Of an `Exists` PostgreSQL thinks that it will be asked of every row, also where a page ends after forty, and reads the
whole of the other table first. Of a value it thinks no such thing: it goes by an index.
"""

from typing import Any

from django.db.models import Q, QuerySet, Subquery
from django.db.models.lookups import IsNull


def is_there(rows: QuerySet[Any]) -> Q:
    """That *rows*, which name the row outside by `OuterRef`, are not none: a condition as `Exists`."""
    return Q(IsNull(Subquery(rows.order_by().values("pk")[:1]), False))  # noqa: FBT003 - as it stands in SQL
