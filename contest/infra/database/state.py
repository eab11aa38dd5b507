"""Name of the database's current state: two equal names mean that nothing was written in between.

It is read over a separate read-only connection of this process that stays open: taking one from the pool costs
several times as much as the query.
"""

import os
import sqlite3
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

import psycopg
from django.db import Error, connection

from contest.infra.sqlite import files

# A thread that would wait longer than this for the shared connection gets None.
_PATIENCE_SECONDS = 0.2
# PostgreSQL: the snapshot of visible transactions changes when a writing transaction commits.
# SQLite: the counter changes with each commit of another connection, in any process.
_NAMES = {"postgresql": "SELECT pg_current_snapshot()::text", "sqlite": "PRAGMA data_version"}


def name() -> Hashable:
    """Return the name of the current database state, or None if unknown. One query."""
    return read_committed(_NAMES[connection.vendor])


def read_committed(statement: str, values: Sequence[object] = ()) -> Hashable:
    """Return the answer to *statement* about committed data, plus the connection's number; None if unknown.

    Return None inside a transaction, as its own rows are not visible on this connection.
    """
    if connection.in_atomic_block or not _lock.acquire(timeout=_PATIENCE_SECONDS):
        return None
    try:
        if _open_connection and not _open_connection[0].is_there():
            _close()
        if not _open_connection:
            _open_connection.append(_connect())
        number, session = _open_connection[0].number, _open_connection[0].session
        return number, *_rows(session, statement, values)
    except (OverflowError, psycopg.DataError):  # no number of ours is that long
        return None
    except (Error, sqlite3.Error, psycopg.Error, files.DatabaseGone, OSError):
        _close()
        return None
    finally:
        _lock.release()


def forget() -> None:
    """Close the connection; the next query opens a new one."""
    with _lock:
        _close()


@dataclass(frozen=True)
class _Connection:
    """Open connection with its *number*; *is_there* tells whether its database file still exists."""

    number: int
    session: Any
    is_there: Callable[[], bool]


_lock = Lock()
_open_connection: list[_Connection] = []
# SQLite's counter starts again with each connection.
_numbers = count()


def _connect() -> _Connection:
    if connection.vendor == "postgresql":
        session = psycopg.connect(**connection.get_connection_params(), autocommit=True)
        if connection.settings_dict["OPTIONS"].get("server_side_binding"):  # not behind a pooler that shares sessions
            session.prepare_threshold = 0
        return _Connection(next(_numbers), session, lambda: True)
    database = str(connection.settings_dict["NAME"])
    if database == ":memory:":
        raise OSError("another connection would have another one")
    address, is_there = database, lambda: True  # databases in memory of tests are URIs already
    if not database.startswith("file:"):
        path = Path(database)
        is_there = partial(files.is_there, path, files.prepare(path))
        address = f"{path.resolve().as_uri()}?mode=rw"
    sqlite_session = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None, timeout=0)
    return _Connection(next(_numbers), sqlite_session, is_there)


def _rows(session: Any, statement: str, values: Sequence[object]) -> Sequence[Hashable]:
    if connection.vendor != "postgresql":
        statement = statement.replace("%s", "?")
    rows: list[Hashable] = session.execute(statement, values).fetchall()
    return rows


def _close() -> None:
    while _open_connection:
        _open_connection.pop().session.close()


def _drop_after_fork() -> None:
    """Drop the inherited connection: a child process must not use its parent's."""
    _open_connection.clear()


os.register_at_fork(after_in_child=_drop_after_fork)
