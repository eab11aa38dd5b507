"""Many rows in one statement."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model


def update(rows: Sequence[Model], names: Sequence[str], where: Mapping[str, Any] | None = None) -> set[int]:
    """Write the fields *names* of each of *rows* as Django's bulk_update does, by one UPDATE ... FROM (VALUES ...).

    Only where the fields in *where* still hold these values; return the keys of the rows written. bulk_update builds a
    CASE over all rows for every field: its time grows with the square of the rows, and 200 of them take a tenth of a
    second.
    """
    if not rows:
        return set()
    model = type(rows[0])
    same, different = _columns(rows, names)
    key, table = _column(model, "pk"), connection.ops.quote_name(model._meta.db_table)
    changes = [f"{_column(model, name)} = %s" for name in same]
    changes += [f"{_column(model, name)} = new.column{at}" for at, name in enumerate(different, 2)]
    # PostgreSQL takes the types of the first line for all; SQLite asks for none.
    first = ", ".join(_typed(model, name) for name in ("pk", *different))
    others = [", ".join(["%s"] * (1 + len(different)))] * (len(rows) - 1)
    conditions = "".join(f" AND {table}.{_column(model, name)} = %s" for name in where or {})
    sql = (
        f"UPDATE {table} SET {', '.join(changes)} FROM (VALUES ({'), ('.join([first, *others])})) AS new "  # noqa: S608 - names of our own columns
        f"WHERE {table}.{key} = new.column1{conditions} RETURNING {table}.{key}"
    )
    lines = zip([row.pk for row in rows], *different.values(), strict=True)
    values = [*same.values(), *(value for line in lines for value in line)]
    values += [database_value(model, name, value) for name, value in (where or {}).items()]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return {pk for (pk,) in cursor.fetchall()}


def database_value(model: type[Model], name: str, value: object) -> Any:
    """*value* as the database takes it for the field *name*."""
    return _field(model, name).get_db_prep_save(value, connection)


def _columns(rows: Sequence[Model], names: Sequence[str]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """What is to be written: the one value of each field that is the same in all rows, and the values of the others."""
    same: dict[str, Any] = {}
    different: dict[str, list[Any]] = {}
    for name in names:
        field = _field(type(rows[0]), name)
        values = [getattr(row, field.attname) for row in rows]
        if all(value == values[0] for value in values):
            same[name] = field.get_db_prep_save(values[0], connection)
        else:
            different[name] = [field.get_db_prep_save(value, connection) for value in values]
    return same, different


def _column(model: type[Model], name: str) -> str:
    return connection.ops.quote_name(str(_field(model, name).column))


def _typed(model: type[Model], name: str) -> str:
    return f"%s::{_field(model, name).cast_db_type(connection)}" if connection.vendor == "postgresql" else "%s"


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    """The field of this name, which has a column of its own."""
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    if not isinstance(field, Field):
        raise TypeError(name)
    return field
