"""Many rows in one statement."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model


def update(rows: Sequence[Model], names: Sequence[str], where: Mapping[str, Any] | None = None) -> set[int]:
    """Write the fields *names* of each of *rows* as Django's bulk_update does, by one UPDATE ... FROM (VALUES ...).

    Only where the columns in *where* still hold these values; return the keys of the rows written. bulk_update builds a
    CASE over all rows for every field: its time grows with the square of the rows, and 200 of them take a tenth of a
    second.
    """
    if not rows:
        return set()
    meta = rows[0]._meta
    fields = [_plain(meta.pk), *(_plain(meta.get_field(name)) for name in names)]
    asked = [_plain(meta.get_field(name)) for name in where or {}]
    quote = connection.ops.quote_name
    table, key = quote(meta.db_table), quote(str(fields[0].column))
    # PostgreSQL takes the types of the first row for all; SQLite asks for none.
    typed = [f"%s::{field.cast_db_type(connection)}" if connection.vendor == "postgresql" else "%s" for field in fields]
    lines = [f"({', '.join(typed)})"] + [f"({', '.join(['%s'] * len(fields))})"] * (len(rows) - 1)
    changes = ", ".join(f"{quote(str(field.column))} = new.column{at}" for at, field in enumerate(fields[1:], 2))
    conditions = "".join(f" AND {table}.{quote(str(field.column))} = %s" for field in asked)
    sql = (
        f"UPDATE {table} SET {changes} FROM (VALUES {', '.join(lines)}) AS new "  # noqa: S608 - names of our own columns
        f"WHERE {table}.{key} = new.column1{conditions} RETURNING {table}.{key}"
    )
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for row in rows for field in fields]
    values += [
        field.get_db_prep_save(value, connection) for field, value in zip(asked, (where or {}).values(), strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return {key for (key,) in cursor.fetchall()}


def stored(model: type[Model], name: str, value: object) -> Any:
    """*value* as the database takes it for the field *name*."""
    return _plain(model._meta.get_field(name)).get_db_prep_save(value, connection)


def _plain(field: Any) -> "Field[Any, Any]":
    """A field with a column of its own."""
    if not isinstance(field, Field):
        raise TypeError(field)
    return field
