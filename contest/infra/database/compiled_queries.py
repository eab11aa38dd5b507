"""Queries compiled once.

Django compiles a query anew each time it is asked, which for a small one takes longer than the database takes to answer
it. Where every millisecond counts, between a submission and its receipt, the SQL is kept.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)

# Values that no query holds by chance: they show where a call's own values belong.
SOME_TIME = datetime(9998, 7, 6, 5, 4, 3, 210, tzinfo=UTC)
SOME_TEXT = "\ue000\ue001\ue002"
SOME_NUMBER = 2_046_201_837

# How often a statement comes before PostgreSQL is asked to prepare it.
_OFTEN = 3


class PreparedQuery(Generic[M]):
    """The query that *build* makes of *examples*; called with other values of these types it returns its rows."""

    def __init__(self, build: Callable[..., QuerySet[M]], *examples: Any) -> None:
        self._build = build
        self._examples = examples
        self._sql = ""

    def __call__(self, *values: Any) -> list[M]:
        if not self._sql:
            self._compile()
        adapted = [_adapt(value) for value in values]
        parameters = [constant if place is None else adapted[place] for place, constant in self._parameters]
        return list(self._model._default_manager.raw(self._sql, parameters))

    def first(self, *values: Any) -> M | None:
        """The first row, or None."""
        return next(iter(self(*values)), None)

    def _compile(self) -> None:
        rows = self._build(*self._examples)
        examples = [_adapt(example) for example in self._examples]
        sql, parameters = rows.query.sql_with_params()
        self._model = rows.model
        self._parameters = [(examples.index(one) if one in examples else None, one) for one in parameters]
        self._sql = sql


def about(count: int) -> int:
    """A power of four, not less than *count*: a plan is for about as many rows, and there are few to be kept."""
    return 1 << 2 * -(-(count - 1).bit_length() // 2)


def in_sizes(query: Callable[[int], PreparedQuery[M]], values: Sequence[Any]) -> list[M]:
    """What the *query* for so many values says of *values*: a few sizes are enough, it may be asked twice of one."""
    count = about(len(values))
    return query(count)(*values, *[values[-1]] * (count - len(values)))


def _adapt(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


@contextmanager
def keep_plans() -> Iterator[None]:
    """Let PostgreSQL prepare what is asked inside; everything else it plans anew, for the values of that call.

    A kept plan must fit all values. For look-ups by key, on the way from a submission to its verdict, that saves most
    of their time. A page of a round that has ten submissions or a million would wait seconds for the wrong plan.
    """
    connection.ensure_connection()
    session = connection.connection
    if not connection.settings_dict["OPTIONS"].get("server_side_binding"):
        yield
        return
    before, session.prepare_threshold = session.prepare_threshold, _OFTEN
    try:
        yield
    finally:
        session.prepare_threshold = before
