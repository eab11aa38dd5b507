"""Publication of the levels that come with the site, on every new or upgraded database (`contest.apps`)."""

from datetime import datetime

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from contest.library.own import course, graded
from contest.models import Collection


def install(at: datetime) -> int:
    """Publish the collections that do not exist yet, public or withdrawn; return the number of levels published."""
    return graded.publish(at) + course.publish(at)


def is_up_to_date() -> bool:
    """Return True if no migration of this app is missing: a partly migrated table may lack columns."""
    loader = MigrationLoader(connection)
    return {*loader.graph.leaf_nodes("contest")} <= {*loader.applied_migrations} and (
        Collection._meta.db_table in connection.introspection.table_names()
    )
