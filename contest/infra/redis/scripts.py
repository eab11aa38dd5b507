"""Scripts that Redis runs, each asked by one message over a connection of this process's own.

The client's way to ask one, over its pool, with a check, a count and a plan for retries each time, takes four times the
CPU of the message and its answer, and a submission asks three or four times.
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
    """The script *text*, which the Redis at *url* keeps by its digest once it has run it."""

    def __init__(self, url: str, text: str) -> None:
        self._connections = _connections_to(url)
        self._text = text
        self._digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()  # as Redis names it

    def __call__(self, keys: Sequence[str], args: Sequence[object]) -> Any:
        """What the script answers. Raise redis.RedisError, or OSError where no connection can be opened."""
        (answer,) = self.ask_all([(keys, args)])
        return answer

    def ask_all(self, those: Sequence[tuple[Sequence[str], Sequence[object]]]) -> list[Any]:
        """What it answers about each of *those* keys and arguments, in their order, all asked by one message."""
        about = [(len(keys), *keys, *args) for keys, args in those]
        answers = self._connections.ask([("EVALSHA", self._digest, *one) for one in about])
        if any(isinstance(answer, NoScriptError) for answer in answers):  # a Redis that was started since: it ran none
            answers = self._connections.ask([("EVAL", self._text, *one) for one in about])
        for answer in answers:
            if isinstance(answer, redis.RedisError):
                raise answer
        return answers


class _Connections:
    """Those to one Redis that nobody uses now; as many are opened as threads ask at the same time."""

    def __init__(self, url: str) -> None:
        pool = redis.ConnectionPool.from_url(url, **settings.REDIS_PATIENCE)  # reads the address, and is not used
        self._make, self._about = pool.connection_class, pool.connection_kwargs
        self._idle: list[Any] = []
        os.register_at_fork(after_in_child=self._idle.clear)  # they are the parent's

    def ask(self, commands: Sequence[Sequence[object]]) -> list[Any]:
        """The answers to *commands*, errors that Redis answers among them."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # somebody else has just taken it
                break
            try:
                return self._ask_by(connection, commands)
            except redis.ConnectionError:  # it ended while nobody looked: all of its age may have
                continue
        return self._ask_by(self._make(**self._about), commands)

    def _ask_by(self, connection: Any, commands: Sequence[Sequence[object]]) -> list[Any]:
        try:
            connection.send_packed_command(connection.pack_commands(commands))  # connects, where it is not
            answers = [_read_answer(connection) for _command in commands]
        except BaseException:
            connection.disconnect()  # what it would say next would be the answer to this
            raise
        self._idle.append(connection)
        return answers


def _read_answer(connection: Any) -> Any:
    try:
        return connection.read_response()
    except redis.ResponseError as error:  # an answer, too
        return error


@cache
def _connections_to(url: str) -> _Connections:
    return _Connections(url)
