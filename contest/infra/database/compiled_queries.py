"""Queries compiled once.

Django compiles a query anew each time it is asked, which for a small one takes longer than the database takes to answer
it; and it finds out anew which column is which field. Where every millisecond counts, between a submission and its
verdict, and where every page asks, both are kept.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import Field, Model, QuerySet

from contest.infra.postgres import libpq

M = TypeVar("M", bound=Model)

# Values that no query holds by chance: they show where a call's own values belong.
SOME_TIME = datetime(9998, 7, 6, 5, 4, 3, 210, tzinfo=UTC)
SOME_TEXT = "\ue000\ue001\ue002"
SOME_NUMBER = 2_046_201_837


class Reader(Generic[M]):
    """What one statement answers, read as instances of *model*: its columns are the same whenever it is asked.

    A column that is no field of the model becomes an attribute of the instance.
    """

    def __init__(self, model: type[M]) -> None:
        self._model = model
        self._columns: _Columns | None = None

    def read(self, sql: str, parameters: Sequence[Any]) -> list[M]:
        (found,) = read_together([Question(self, sql, parameters)])
        return found

    def instances(self, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[M]:
        """*rows* with columns of these *names*, the same whenever they are asked for."""
        columns = self._columns or self._learn(names)
        return [self._instance(columns, row) for row in rows]

    def _learn(self, names: Sequence[str]) -> "_Columns":
        at = {name: place for place, name in enumerate(names)}
        fields = {str(field.column): field for field in self._model._meta.concrete_fields if field.column in at}
        self._columns = _Columns(
            names=[field.attname for field in fields.values()],
            places=[at[name] for name in fields],
            converters=[
                (at[name], convert, field.cached_col)
                for name, field in fields.items()
                for convert in _converters(field)
            ],
            others=[(name, place) for name, place in at.items() if name not in fields],
        )
        return self._columns

    def _instance(self, columns: "_Columns", row: Sequence[Any]) -> M:
        values = list(row)
        for place, convert, column in columns.converters:
            values[place] = convert(values[place], column, connection)
        instance = self._model.from_db(connection.alias, columns.names, [values[place] for place in columns.places])
        for name, place in columns.others:
            setattr(instance, name, values[place])
        return instance


@dataclass(frozen=True)
class _Columns:
    """Where in a row what stands."""

    names: Sequence[str]  # of the instance's fields
    places: Sequence[int]  # of their values
    converters: Sequence[tuple[int, Callable[..., Any], Any]]  # of the value at a place, with its column
    others: Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Question(Generic[M]):
    """A statement with its values, and who reads the answer."""

    reader: Reader[M]
    sql: str
    values: Sequence[Any]

    def ask(self) -> list[M]:
        """Ask Django's cursor."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.values)
            return self.reader.instances([column[0] for column in cursor.description], cursor.fetchall())


def read_together(questions: Sequence[Question[Any]]) -> list[list[Any]]:
    """What is answered to each of *questions*, in their order; where plans are kept, after one wait for all."""
    answers = libpq.ask_all([(one.sql, one.values) for one in questions])
    if answers is None:
        return [one.ask() for one in questions]
    return [one.reader.instances(rows.columns, rows.rows) for one, rows in zip(questions, answers, strict=True)]


def _converters(field: "Field[Any, Any]") -> list[Callable[..., Any]]:
    """From a value of the database to Python's, one after another."""
    column = field.cached_col
    return [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]


class PreparedQuery(Generic[M]):
    """The query that *build* makes of *examples*; called with other values of these types it returns its rows.

    Raise ValueError at the first call for a query that asks for something made of a value, not for the value itself.
    """

    def __init__(self, build: Callable[..., QuerySet[M]], *examples: Any) -> None:
        self._build = build
        self._examples = examples
        self._sql = ""

    def __call__(self, *values: Any) -> list[M]:
        (found,) = read_together([self.question(*values)])
        return found

    def question(self, *values: Any) -> Question[M]:
        """What a call with *values* asks."""
        if not self._sql:
            self._compile()
        adapted = [_adapt(value) for value in values]
        parameters = [constant if place is None else adapted[place] for place, constant in self._parameters]
        return Question(self._reader, self._sql, parameters)

    def first(self, *values: Any) -> M | None:
        """The first row, or None."""
        return next(iter(self(*values)), None)

    def _compile(self) -> None:
        rows, sql, parameters = self._statement(self._examples)
        places = self._places(parameters, self._examples)
        # What *build* makes of a value, such as an hour before it, would stay that of the example.
        others = [_other(example) for example in self._examples]
        _rows, other_sql, other_parameters = self._statement(others)
        if (other_sql, self._places(other_parameters, others)) != (sql, places):
            raise ValueError(f"A query compiled once can ask for its values as they are alone: {sql}")
        self._reader = Reader(rows.model)
        self._parameters = places
        self._sql = sql

    def _statement(self, values: Sequence[Any]) -> tuple[QuerySet[M], str, Sequence[Any]]:
        rows = self._build(*values)
        sql, parameters = rows.query.sql_with_params()
        return rows, sql, parameters

    @staticmethod
    def _places(parameters: Sequence[Any], values: Sequence[Any]) -> list[tuple[int | None, Any]]:
        """Of each parameter which of *values* it is; None and itself, where it is another."""
        adapted = [_adapt(value) for value in values]
        return [(adapted.index(one), None) if one in adapted else (None, one) for one in parameters]


def _other(example: Any) -> Any:
    """A value of the same kind."""
    if isinstance(example, datetime):
        return example + timedelta(seconds=1)
    return f"{example}." if isinstance(example, str) else example + 1_000


def about(count: int) -> int:
    """A power of four, not less than *count*: a plan is for about as many rows, and there are few to be kept."""
    return 1 << 2 * -(-(count - 1).bit_length() // 2)


def in_sizes(query: Callable[[int], PreparedQuery[M]], values: Sequence[Any]) -> Question[M]:
    """What the *query* for so many values asks of *values*: a few sizes are enough, it may be asked twice of one."""
    count = about(len(values))
    return query(count).question(*values, *[values[-1]] * (count - len(values)))


def _adapt(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


@contextmanager
def keep_plans() -> Iterator[None]:
    """Let PostgreSQL prepare what is asked here, inside; everything else it plans anew, for the values of that call.

    A kept plan must fit all values. For look-ups by key, on the way from a submission to its verdict, that saves most
    of their time. A page of a round that has ten submissions or a million would wait seconds for the wrong plan.
    """
    connection.ensure_connection()
    binds = connection.settings_dict["OPTIONS"].get("server_side_binding")
    if not (binds and settings.FAST_PATHS["prepared_statements"]):
        yield
        return
    with libpq.preparing(connection.connection):
        yield
