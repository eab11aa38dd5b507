"""Statements over many rows with the same SQL for any number of rows: their values are one JSON parameter."""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import BinaryField, Field, Model

M = TypeVar("M", bound=Model)


def table(columns: Mapping[type[Model], Sequence[str]]) -> str:
    """Return a query over the rows in its one parameter (see `lines`), with the columns of these fields of models."""
    fields = [_field(model, name) for model, names in columns.items() for name in names]
    if connection.vendor == "postgresql":
        typed_columns = (f"{column(field)} {field.cast_db_type(connection)}" for field in fields)
        return f"SELECT * FROM json_to_recordset(%s::json) AS line({', '.join(typed_columns)})"  # noqa: S608 - names of our own columns
    selected = (f"value ->> '$.{field.column}' AS {column(field)}" for field in fields)
    return f"SELECT {', '.join(selected)} FROM json_each(%s)"  # noqa: S608 - names of our own columns


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return *rows*, keyed by column name, as the parameter of a `table`. PostgreSQL does not accept NUL characters."""
    return json.dumps(list(rows))


def changes(model: type[Model], names: Sequence[str], source: str) -> str:
    """Return the SET clause of an UPDATE that copies the columns of the fields *names* from *source*."""
    columns = [column(_field(model, name)) for name in names]
    return ", ".join(f"{name} = {source}.{name}" for name in columns)


def insert(new_rows: Sequence[M], names: Sequence[str]) -> list[M]:
    """Insert *new_rows* of one model in order, skip rows that violate a constraint, and return the inserted rows.

    The fields *names* take the row's values, all others the model's defaults; the first of *names* must be unique.
    """
    if not new_rows:
        return []
    model = type(new_rows[0])
    if connection.vendor == "postgresql":
        sql, defaults = _insert(model, tuple(names))
        fields = [_field(model, name) for name in names]
        values = [*defaults, lines({str(field.column): _in_json(field, row) for field in fields} for row in new_rows)]
    else:
        sql, defaults = _insert(model, tuple(names), len(new_rows))
        values = [
            value for row in new_rows for value in (*defaults, *(_value(_field(model, name), row) for name in names))
        ]
    keys = dict(rows(sql, values))
    unique_values = [_value(_field(model, names[0]), row) for row in new_rows]
    for row, unique_value in zip(new_rows, unique_values, strict=True):
        if unique_value in keys:
            row.pk, row._state.adding, row._state.db = keys[unique_value], False, connection.alias
    return [row for row, unique_value in zip(new_rows, unique_values, strict=True) if unique_value in keys]


def rows(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows that the database returns for *sql*."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        result: list[tuple[Any, ...]] = cursor.fetchall()
        return result


@cache
def _insert(model: type[Model], names: tuple[str, ...], count: int = 0) -> tuple[str, list[Any]]:
    """Return the statement and the default values, its first parameters; *count* rows where the SQL depends on it."""
    fields = [_field(model, name) for name in names]
    other_fields = [field for field in model._meta.concrete_fields if field not in fields and not field.primary_key]
    defaults = [(field, field.get_db_prep_save(field.get_default(), connection)) for field in other_fields]
    defaults = [(field, value) for field, value in defaults if value is not None]
    columns = ", ".join(column(field) for field in (*(field for field, _value in defaults), *fields))
    if count:
        placeholders = f"({', '.join(['%s'] * (len(defaults) + len(fields)))})"
        source = f"VALUES {', '.join([placeholders] * count)}"
    else:
        casts = (f"%s::{field.cast_db_type(connection)}" for field, _value in defaults)
        json_columns = ", ".join(f"{column(field)} {_type_in_json(field)}" for field in fields)
        selected = (f"decode({column(field)}, 'base64')" if _is_bytes(field) else column(field) for field in fields)
        column_names = ", ".join(column(field) for field in fields)
        source = (
            f"SELECT {', '.join((*casts, *selected))} FROM ROWS FROM (json_to_recordset(%s::json) AS ({json_columns})) "  # noqa: S608 - names of our own columns
            f"WITH ORDINALITY AS line({column_names}, place) ORDER BY place"
        )
    sql = (
        f"INSERT INTO {model._meta.db_table} ({columns}) {source} ON CONFLICT DO NOTHING "
        f"RETURNING {column(fields[0])}, {column(model._meta.pk)}"
    )
    return sql, [value for _field, value in defaults]


def _is_bytes(field: "Field[Any, Any]") -> bool:
    return isinstance(field, BinaryField)


def _type_in_json(field: "Field[Any, Any]") -> str:
    return "text" if _is_bytes(field) else str(field.cast_db_type(connection))


def _in_json(field: "Field[Any, Any]", row: Model) -> Any:
    """Return the value of *field* as JSON stores it."""
    value = getattr(row, field.attname)
    if isinstance(value, str | int | None):
        return value
    if _is_bytes(field):
        return b64encode(bytes(value)).decode()
    return value.isoformat() if isinstance(value, datetime) else _value(field, row)


def _value(field: "Field[Any, Any]", row: Model) -> Any:
    value = getattr(row, field.attname)
    return bytes(value) if _is_bytes(field) else field.get_db_prep_save(value, connection)


def column(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    """Return the model field of this name; raise TypeError if it has no column."""
    field = model._meta.get_field(name)
    if not isinstance(field, Field):
        raise TypeError(name)
    return field
