"""Many rows in one statement, which reads the same for one row as for hundreds: their values are one JSON parameter."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model


def table(columns: Mapping[type[Model], Sequence[str]]) -> str:
    """A query of the rows in its one parameter, which `lines` makes; with the columns of these fields of models."""
    fields = [_field(model, name) for model, names in columns.items() for name in names]
    if connection.vendor == "postgresql":
        typed = (f"{column(field)} {field.cast_db_type(connection)}" for field in fields)
        return f"SELECT * FROM json_to_recordset(%s::json) AS line({', '.join(typed)})"  # noqa: S608 - names of our own columns
    read = (f"value ->> '$.{field.column}' AS {column(field)}" for field in fields)
    return f"SELECT {', '.join(read)} FROM json_each(%s)"  # noqa: S608 - names of our own columns


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """*rows* by the names of their columns, as the parameter of a `table`. NUL is not for PostgreSQL."""
    return json.dumps(list(rows))


def changes(model: type[Model], names: Sequence[str], source: str) -> str:
    """What an UPDATE sets: the columns of the fields *names* as *source* has them."""
    columns = [column(_field(model, name)) for name in names]
    return ", ".join(f"{name} = {source}.{name}" for name in columns)


def column(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    """The field of this name, which has a column of its own."""
    field = model._meta.get_field(name)
    if not isinstance(field, Field):
        raise TypeError(name)
    return field
