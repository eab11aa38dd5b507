"""The statistics that PostgreSQL plans by."""

from django.db import connection
from django.db.models import Model


def analyze(*models: type[Model]) -> None:
    """Update the statistics of *models* after many rows were added: autovacuum may come minutes later.

    Until then PostgreSQL may plan for empty tables and join them by loops. SQLite needs nothing of the kind.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")
