"""Lua scripts run by Redis, each call one message over a connection of this process.

The Redis client's own call, with its pool, connection check, metrics and retry plan, takes four times the CPU of the
message and its answer, and a submission makes three or four calls.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

import redis
from django.conf import settings
from redis.exceptions import NoScriptError


class Script:
    """The script *text*; the Redis at *url* caches it by its digest after the first run."""

    def __init__(self, url: str, text: str) -> None:
        self._connections = _connections_to(url)
        self._text = text
        self._digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()  # Redis's own name for a script

    def __call__(self, keys: Sequence[str], args: Sequence[object]) -> Any:
        """Return the script's result. Raise redis.RedisError, or OSError if no connection can be opened."""
        (answer,) = self.run_all([(keys, args)])
        return answer

    def run_all(self, calls: Sequence[tuple[Sequence[str], Sequence[object]]]) -> list[Any]:
        """Return the results for each of *calls* keys and arguments, in their order, with one message."""
        commands = [(len(keys), *keys, *args) for keys, args in calls]
        answers = self._connections.send([("EVALSHA", self._digest, *command) for command in commands])
        if any(isinstance(answer, NoScriptError) for answer in answers):  # Redis has restarted and lost its cache
            answers = self._connections.send([("EVAL", self._text, *command) for command in commands])
        for answer in answers:
            if isinstance(answer, redis.RedisError):
                raise answer
        return answers


class _Connections:
    """Idle connections to one Redis; as many are opened as threads use it at the same time."""

    def __init__(self, url: str) -> None:
        pool = redis.ConnectionPool.from_url(url, **settings.REDIS_PATIENCE)  # only parses the URL
        self._connection_class, self._connection_kwargs = pool.connection_class, pool.connection_kwargs
        self._idle: list[Any] = []
        os.register_at_fork(after_in_child=self._idle.clear)  # they belong to the parent

    def send(self, commands: Sequence[Sequence[object]]) -> list[Any]:
        """Return the answers to *commands*; errors that Redis returns are among them."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread has just taken it
                break
            try:
                return self._send_over(connection, commands)
            except redis.ConnectionError:  # closed while idle: older ones may be closed too
                continue
        return self._send_over(self._connection_class(**self._connection_kwargs), commands)

    def _send_over(self, connection: Any, commands: Sequence[Sequence[object]]) -> list[Any]:
        try:
            connection.send_packed_command(connection.pack_commands(commands))  # connects if necessary
            answers = [_read_answer(connection) for _command in commands]
        except BaseException:
            connection.disconnect()  # otherwise its next answer would be read as the answer to another command
            raise
        self._idle.append(connection)
        return answers


def _read_answer(connection: Any) -> Any:
    try:
        return connection.read_response()
    except redis.ResponseError as error:  # returned as an answer
        return error


@cache
def _connections_to(url: str) -> _Connections:
    return _Connections(url)
