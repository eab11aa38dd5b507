"""Statements asked by libpq itself, prepared once a session, with values in PostgreSQL's own text form.

What psycopg and Django's cursor do about a question costs three times as much as the question, and on the way in and to
the verdict nothing else is done for most of the time. psycopg itself must prepare nothing: what it has prepared it lets
go of after each transaction that is taken back, and ours with it.
"""

import json
import re
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import Connection, OperationalError, errors
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, TransactionStatus
from psycopg.types.json import Jsonb

Session = Connection[Any]

_GOOD = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
# What one session keeps; whatever is asked beyond that goes by the cursor.
_MOST_STATEMENTS = 200
_PREPARES, _STATEMENTS = "libpq_prepares", "libpq_statements"  # among what a session remembers


def _of_time(text: bytes) -> datetime:
    return datetime.fromisoformat(text.decode())


_PLACE = re.compile("%s|%%")
# By the number of a column's type (pg_type.dat).
_LOADERS: dict[int, Callable[[bytes], Any]] = {
    16: lambda text: text == b"t",
    17: lambda text: bytes.fromhex(text[2:].decode()),
    **dict.fromkeys((20, 21, 23), int),
    # JSON as Django has it, which reads it itself.
    **dict.fromkeys((25, 114, 1043, 3802), bytes.decode),
    1184: _of_time,
    2950: lambda text: UUID(text.decode()),
}


@dataclass(frozen=True)
class _Statement:
    """One that is prepared: by which name, and its columns."""

    name: bytes
    columns: Sequence[str]
    loaders: Sequence[Callable[[bytes], Any] | None]  # None of a type that is not read here


@dataclass(frozen=True)
class Rows:
    """What was answered: *columns* by name, and the rows' values."""

    columns: Sequence[str]
    rows: list[tuple[Any, ...]]


@contextmanager
def preparing(session: Session) -> Iterator[None]:
    """Let `ask` ask *session* inside."""
    kept = vars(session)
    before, kept[_PREPARES] = kept.get(_PREPARES, False), True
    try:
        yield
    finally:
        kept[_PREPARES] = before


def ask(sql: str, values: Sequence[Any]) -> Rows | None:
    """What the database answers to *sql* on Django's connection; None where that is for Django's cursor to ask.

    So it is where plans are not kept (`preparing`) or somebody looks at what is asked, and of types that are not read
    here. Raise what Django raises.
    """
    answers = ask_all([(sql, values)])
    return answers[0] if answers else None


def ask_all(questions: Sequence[tuple[str, Sequence[Any]]]) -> list[Rows] | None:
    """`ask` of several statements with their values, sent together: one is asked when those before it are done."""
    this: Any = connections[DEFAULT_DB_ALIAS]
    if this.vendor != "postgresql" or this.execute_wrappers or this.queries_logged:
        return None
    this.ensure_connection()
    session: Session = this.connection
    if not vars(session).get(_PREPARES) or session.isolation_level is not None:
        return None
    this.validate_no_broken_transaction()
    with this.wrap_database_errors:
        try:
            told = [tell(values) for _sql, values in questions]
        except TypeError:
            return None
        found = [_statement_of(session, sql) for sql, _values in questions]
        statements = [one for one in found if one and None not in one.loaders]
        if len(statements) < len(questions):
            return None
        begins = not session.autocommit and session.pgconn.transaction_status == TransactionStatus.IDLE
        asked = [(one.name, values) for one, values in zip(statements, told, strict=True)]
        if begins or len(asked) > 1:
            results = _ask_in_one_go(session, asked, begins=begins)
        else:
            results = [_check(session.pgconn.exec_prepared(*one)) for one in asked]
    return [_rows(one, result) for one, result in zip(statements, results, strict=True)]


def _ask_in_one_go(session: Session, asked: Sequence[tuple[bytes, list[Any]]], *, begins: bool) -> list[Any]:
    """What is answered to each prepared statement, in a transaction that *begins* with them or has begun: one wait."""
    server = session.pgconn
    server.enter_pipeline_mode()
    try:
        if begins:
            server.send_query_params(b"BEGIN", None)
        for name, values in asked:
            server.send_query_prepared(name, values)
        server.pipeline_sync()
        results = list(_results(server))
        server.exit_pipeline_mode()
    except BaseException:
        session.close()  # nobody knows what it would say next
        raise
    return [_check(result) for result in results][begins:]


def _results(server: Any) -> Iterator[Any]:
    """The results of a pipeline, up to its end; behind one that failed the others have failed, too."""
    line = select.poll()
    line.register(server.socket, select.POLLIN | select.POLLOUT)
    while server.flush():
        line.poll()
        server.consume_input()
    line.modify(server.socket, select.POLLIN)
    while True:
        while server.is_busy():
            line.poll()
            server.consume_input()
        result = server.get_result()
        if result is not None:
            if result.status == ExecStatus.PIPELINE_SYNC:
                return
            yield result
        elif server.status != ConnStatus.OK:  # it would say for ever that there is nothing more
            raise OperationalError(server.get_error_message())


def _rows(statement: _Statement, found: Any) -> Rows:
    return Rows(statement.columns, [_row(found, row, statement.loaders) for row in range(found.ntuples)])


def _row(found: Any, row: int, loaders: Sequence[Any]) -> tuple[Any, ...]:
    values = [found.get_value(row, place) for place in range(len(loaders))]
    return tuple(None if text is None else load(text) for load, text in zip(loaders, values, strict=True))


def execute(session: Session, sql: str, values: Sequence[Any], *, prepares: bool) -> list[tuple[bytes | None, ...]]:
    """The rows that *session* answers to *sql*, in PostgreSQL's own text form. Raise psycopg.Error."""
    told = tell(values)
    if prepares and (statement := _statement_of(session, sql)):
        found = _check(session.pgconn.exec_prepared(statement.name, told))
    else:  # a pooler that shares sessions keeps nothing for the next question
        found = _check(session.pgconn.exec_params(_with_numbers(sql), told))
    return [tuple(found.get_value(row, column) for column in range(found.nfields)) for row in range(found.ntuples)]


def tell(values: Sequence[Any]) -> list[Any]:
    """*values* as PostgreSQL reads them. Raise TypeError where one is of a type that is not sent so."""
    return [_tell(value) for value in values]


def _tell(value: Any) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, str):
        if "\0" in value:  # where libpq would take the text to end
            raise errors.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return value.encode()
    if isinstance(value, bool):
        return b"t" if value else b"f"
    if isinstance(value, int | UUID):
        return str(value).encode()
    if isinstance(value, datetime):
        return value.isoformat().encode()
    if isinstance(value, Jsonb):
        return str((value.dumps or json.dumps)(value.obj)).encode()
    if isinstance(value, list) and all(type(one) is int for one in value):
        return f"{{{','.join(map(str, value))}}}".encode()
    raise TypeError(type(value))


def _statement_of(session: Session, sql: str) -> _Statement | None:
    """*sql* prepared for *session*; None where there is no room for more."""
    statements: dict[str, _Statement] = vars(session).setdefault(_STATEMENTS, {})
    if sql not in statements and len(statements) < _MOST_STATEMENTS:
        name = f"libpq{len(statements)}".encode()
        _check(session.pgconn.prepare(name, _with_numbers(sql)))
        told = _check(session.pgconn.describe_prepared(name))
        columns = [(told.fname(place) or b"").decode() for place in range(told.nfields)]
        statements[sql] = _Statement(name, columns, [_LOADERS.get(told.ftype(place)) for place in range(told.nfields)])
    return statements.get(sql)


def _with_numbers(sql: str) -> bytes:
    """PostgreSQL's own words for where values go: $1, $2, ..."""
    places = count(1)
    return _PLACE.sub(lambda found: f"${next(places)}" if found[0] == "%s" else "%", sql).encode()


def _check(result: Any) -> Any:
    if result.status in _GOOD:
        return result
    if result.error_field(DiagnosticField.SQLSTATE) is None:  # of libpq's own: the server is not there
        raise OperationalError(result.get_error_message())
    raise errors.error_from_result(result)
