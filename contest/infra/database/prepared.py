"""Plain SQL that psycopg prepares, used between a submission and its verdict.

Compiling a small query takes Django longer than PostgreSQL needs to answer it, so these are plain SQL for `raw()`.
A prepared statement may get one generic plan for all values. For lookups by key that plan is always right and saves
parsing and planning. A page of a round with ten or a million submissions needs different plans, so is not prepared.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Model


@contextmanager
def prepared_statements() -> Iterator[None]:
    """Make psycopg prepare what this thread asks a second time in the block (`prepare_threshold`)."""
    connection.ensure_connection()
    session = connection.connection
    binds_on_server = connection.vendor == "postgresql" and connection.settings_dict["OPTIONS"].get(
        "server_side_binding"
    )
    if not (binds_on_server and settings.FAST_PATHS["prepared_statements"]):
        yield
        return
    session.prepare_threshold = 1
    try:
        yield
    finally:
        # As in settings/databases.py, not as before: another thread may have got the session from the pool meanwhile.
        session.prepare_threshold = None


@cache
def columns(model: type[Model], *excluded: str) -> str:
    """Return the column names of *model* except *excluded*; a prepared `SELECT *` fails after a column is added."""
    names = [str(field.column) for field in model._meta.concrete_fields]
    table = model._meta.db_table
    return ", ".join(f'{table}."{name}"' for name in names if name not in excluded)


def among(values: Sequence[str]) -> tuple[str, Any]:
    """Return an SQL condition that a column is one of *values*, and its one parameter: the same SQL for any number."""
    if connection.vendor == "postgresql":
        return "= ANY (%s)", list(values)
    return "IN (SELECT value FROM json_each(%s))", json.dumps(list(values))
