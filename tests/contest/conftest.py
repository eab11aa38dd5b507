import contextlib
import os
import shutil
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
import redis
from django.contrib.auth.models import User
from django.db import connection

from contest.infra import rate_limits
from tooling.folders import private_folder
from tooling.processes import Child, stop_children
from tooling.redis import redis_child, start_redis
from tooling.site import Address


def free_address() -> Address:
    """Return a free port on a local address that no other test process uses."""
    host = f"127.{100 + (os.getpid() >> 16)}.{os.getpid() >> 8 & 255}.{os.getpid() & 255}"
    with socket.socket() as probe:
        probe.bind((host, 0))
        return Address(host, probe.getsockname()[1])


@pytest.fixture(scope="session")
def own_redis():
    """A private Redis that tests may stop and empty: its process, and the URL for limits."""
    folder = private_folder()
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        child, url = redis_child(folder, folder / "redis.log")
        stack.callback(stop_children, [child])
        start_redis(child, url)
        yield child, f"{url}?db=2"


@pytest.fixture
def limits(own_redis, settings, monkeypatch):
    """The process of an empty Redis that counts addresses and tokens."""
    child, url = own_redis
    settings.LIMITS_URL, settings.ADDRESS_PER_MINUTE, settings.TOKEN_PER_MINUTE = url, 3, 120
    monkeypatch.setattr(rate_limits.breaker, "rests_until", 0.0)
    rate_limits._script.cache_clear()
    redis.Redis.from_url(url).flushdb()
    yield child
    rate_limits._script.cache_clear()


@pytest.fixture
def start(tmp_path):
    """Start a process of the site on this test's database: `start(judge_command(), NAME="value")`."""
    if connection.vendor != "postgresql":
        pytest.skip("an SQLite database of the tests lies in one process's memory")
    url = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(url._replace(path=f"/{connection.settings_dict['NAME']}"))
    ours = os.environ | {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONUNBUFFERED": "1"}
    children = []

    def start_(arguments, **env) -> Child:
        log = Path(tmp_path / f"{len(children)}.log")
        children.append(Child(arguments[1], [sys.executable, *arguments], ours | env, log))
        children[-1].start()
        return children[-1]

    yield start_
    stop_children(children, patience=30)


@pytest.fixture
def organiser(client):
    """A test client signed in with all permissions."""
    client.force_login(User.objects.create_superuser("organiser"))
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture(autouse=True)
def _english_messages(in_english):
    """Use English, because messages are compared word by word."""
