"""Django's SQLite backend with a queue of writers (see `queue`) and checks of the database file (`files`).

A writing statement outside a transaction takes its turn in the same queue.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from contest.infra.sqlite import files
from contest.infra.sqlite.queue import Queue, QueueTimeout, queue_of

# SQLite's own busy timeout: applies only to writers outside our queue, such as a shell that locks the database.
_BUSY_SECONDS, _STUCK_BUSY_SECONDS = 1.5, 0.1
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class DatabaseWrapper(base.DatabaseWrapper):
    transaction_mode: str | None  # not in the stubs, nor are the methods ignored below

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queue: Queue | None = None
        self._has_turn = False
        self._busy_seconds = 0.0
        self._number = 0
        self.execute_wrappers.append(self._queue_write)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.is_in_memory_db():
            self._path = Path(self.settings_dict["NAME"]).resolve()
            try:
                self._number = files.prepare(self._path)
            except files.DatabaseGone as error:
                raise OperationalError(str(error)) from None
            except OSError as error:
                raise OperationalError(f"The database {self._path} cannot be opened: {error.strerror}.") from error
            self._queue = queue_of(self._path)
        new_connection = super().get_new_connection(conn_params)
        self._busy_seconds = 0.0
        return new_connection

    def close_if_unusable_or_obsolete(self) -> None:
        """Close the connection before a request if the database file was moved away: an open file would hide that."""
        if self.connection is not None and self._queue and not files.is_there(self._path, self._number):
            self.close()
        super().close_if_unusable_or_obsolete()

    def _queue_write(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - Django passes it by position
        if self.in_atomic_block or self._has_turn or not str(sql).lstrip()[:7].upper().startswith(_WRITES):
            return execute(sql, params, many, context)
        self._take_turn()
        try:
            return execute(sql, params, many, context)
        finally:
            self._leave()

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode in (None, "DEFERRED"):
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
            return
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave(has_written=False)
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave()

    def _take_turn(self) -> None:
        if self._queue is None or self._has_turn:
            return
        if not files.is_there(self._path, self._number):
            raise OperationalError(str(files.DatabaseGone(self._path)))
        self._wait_for_others(_STUCK_BUSY_SECONDS if self._queue.is_stuck else _BUSY_SECONDS)
        try:
            self._queue.enter()
        except QueueTimeout as timeout:
            raise OperationalError(str(timeout)) from None
        self._has_turn = True

    def _wait_for_others(self, seconds: float) -> None:
        if seconds != self._busy_seconds:
            self.connection.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")
            self._busy_seconds = seconds

    def _leave(self, *, has_written: bool = True) -> None:
        if self._has_turn and self._queue is not None:
            self._has_turn = False
            self._queue.leave(has_written=has_written)
