"""What the database holds, by a name: two equal names mean that nothing at all was written in between.

It is asked over a connection of this process's own, which never writes and stays open: to take one from the pool costs
several times as much as the question.
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

# Whoever would have to wait longer for the connection, or has lost it, asks nobody.
_PATIENCE_SECONDS = 0.2
# PostgreSQL names which transactions a statement sees: who writes takes a number, and is seen once it has committed.
# SQLite counts what others than the one who asks have committed, in whatever process.
_NAMES = {"postgresql": "SELECT pg_current_snapshot()::text", "sqlite": "PRAGMA data_version"}


def name() -> Hashable:
    """The name of what the database holds now; None where that cannot be told. One question."""
    return ask(_NAMES[connection.vendor])


def ask(statement: str, values: Sequence[object] = ()) -> Hashable:
    """What the database answers of what is committed, told apart by connections; None where that cannot be told.

    So it is in a transaction, whose own rows are seen there and nowhere else.
    """
    if connection.in_atomic_block or not _turn.acquire(timeout=_PATIENCE_SECONDS):
        return None
    try:
        if _open and not _open[0].is_there():
            _close()
        if not _open:
            _open.append(_connect())
        number, session = _open[0].number, _open[0].session
        return number, *_rows(session, statement, values)
    except (OverflowError, psycopg.DataError):  # no number of ours is so long
        return None
    except (Error, sqlite3.Error, psycopg.Error, files.DatabaseGone, OSError):
        _close()
        return None
    finally:
        _turn.release()


def forget() -> None:
    """Let go of the connection; the next question opens another."""
    with _turn:
        _close()


@dataclass(frozen=True)
class _Connection:
    """The one there is, by its *number*; and whether what it leads to *is_there* still."""

    number: int
    session: Any
    is_there: Callable[[], bool]


_turn = Lock()
_open: list[_Connection] = []
# SQLite begins to count anew with each connection.
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
    address, is_there = database, lambda: True  # what tests have in memory is an address already
    if not database.startswith("file:"):
        path = Path(database)
        is_there = partial(files.is_there, path, files.prepare(path))
        address = f"{path.resolve().as_uri()}?mode=rw"
    lite = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None, timeout=0)
    return _Connection(next(_numbers), lite, is_there)


def _rows(session: Any, statement: str, values: Sequence[object]) -> Sequence[Hashable]:
    if connection.vendor != "postgresql":
        statement = statement.replace("%s", "?")
    rows: list[Hashable] = session.execute(statement, values).fetchall()
    return rows


def _close() -> None:
    while _open:
        _open.pop().session.close()


def _forget_after_fork() -> None:
    """A child must not use the connection of the process it was forked from."""
    _open.clear()


os.register_at_fork(after_in_child=_forget_after_fork)
