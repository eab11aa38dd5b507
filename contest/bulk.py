"""Many rows in one statement."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model


def update(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Write the fields *names* of each of *rows*, as Django's bulk_update does, by one UPDATE ... FROM (VALUES ...).

    bulk_update builds a CASE over all rows for every field: its time grows with the square of the rows, and 200 of them
    take a tenth of a second.
    """
    if not rows:
        return
    meta = rows[0]._meta
    fields: list[Field[Any, Any]] = [meta.pk, *(meta.get_field(name) for name in names)]  # type: ignore[list-item] # plain fields only
    quote = connection.ops.quote_name
    table = quote(meta.db_table)
    # PostgreSQL takes the types of the first row for all; SQLite asks for none.
    typed = [f"%s::{field.cast_db_type(connection)}" if connection.vendor == "postgresql" else "%s" for field in fields]
    lines = [f"({', '.join(typed)})"] + [f"({', '.join(['%s'] * len(fields))})"] * (len(rows) - 1)
    changes = ", ".join(f"{quote(str(field.column))} = new.column{at}" for at, field in enumerate(fields[1:], 2))
    sql = (
        f"UPDATE {table} SET {changes} FROM (VALUES {', '.join(lines)}) AS new "  # noqa: S608 - names of our own columns
        f"WHERE {table}.{quote(str(fields[0].column))} = new.column1"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [_value(row, field) for row in rows for field in fields])


def _value(row: Model, field: "Field[Any, Any]") -> Any:
    return field.get_db_prep_save(getattr(row, field.attname), connection)
