"""Add many copies of the rows that players and strangers can create, and measure what a page then costs."""

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db import connection, models
from django.test import Client

from contest.infra import kept
from contest.models import Player

Templates = Mapping[type[models.Model], Any]
_Made = dict[type[models.Model], list[Any]]


def grow(count: int, templates: Templates) -> None:
    """Add *count* copies of each template, of the same player; fields that a constraint compares differ."""
    made: _Made = {}
    for model, template in templates.items():
        first = model._default_manager.count()
        rows = [_copy(template, first + place, place, made) for place in range(count)]
        made[model] = model._default_manager.bulk_create(rows)


def _copy(template: Any, number: int, place: int, made: _Made) -> Any:
    row = copy.copy(template)
    row._state = models.base.ModelState()
    for field in _distinct_fields(type(template), made):
        value = getattr(template, field.attname)
        if value not in (None, ""):
            setattr(row, field.attname, _another(field, value, number, place, made))
    return row


def _distinct_fields(model: type[models.Model], made: _Made) -> list[Any]:
    """Return unique fields, relations to copied rows, and of each unique constraint a text or number, or a player."""
    found = [field for field in model._meta.concrete_fields if field.unique or _is_copied(field, made)]
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            among: list[Any] = [model._meta.get_field(name) for name in constraint.fields]
            texts = [field for field in among if not (field.is_relation or field.choices)]
            texts = [field for field in texts if not isinstance(field, models.BooleanField | models.DateField)]
            found += (texts or [field for field in among if field.related_model is Player])[-1:]
    return found


def _is_copied(field: Any, made: _Made) -> bool:
    return field.related_model in made and field.related_model is not Player


def _another(field: Any, value: Any, number: int, place: int, made: _Made) -> Any:
    if isinstance(field, models.AutoField):
        return None
    if field.is_relation:
        return made[field.related_model][place].pk
    if isinstance(value, int):
        return 100_000 + number
    ending = f"-{number:x}"
    return f"{value[: (field.max_length or 99) - len(ending)]}{ending}"


class Cost(NamedTuple):
    """Statements of a page, rows that they returned, and bytes of the answer.

    Rows of one column are not counted: each page looks up the keys of its reader's nicknames.
    """

    statements: int
    rows: int
    size: int


def cost_of(client: Client, address: str) -> Cost:
    """Return the cost of *address* with empty caches (SQLite)."""
    counted = {"statements": 0, "rows": 0}

    def count_statement(execute: Any, *args: Any) -> Any:
        counted["statements"] += 1
        return execute(*args)

    def count_row(_cursor: object, row: tuple[object, ...]) -> tuple[object, ...]:
        counted["rows"] += len(row) > 1
        return row

    cache.clear()
    kept.store.clear()
    connection.connection.row_factory = count_row
    try:
        with connection.execute_wrapper(count_statement):
            answer = client.get(address)
            size = len(answer.getvalue())
        assert answer.status_code in (503, *range(200, 500)), address
    finally:
        connection.connection.row_factory = None
    return Cost(**counted, size=size)
