"""Nothing that others wrote into Redis runs in the site: the cache reads signed values, Celery reads JSON."""

import os
import pickle
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from django.core.cache import cache
from kombu import Connection, Queue
from kombu.exceptions import ContentDisallowed

import solvers
from contest.celery import app
from contest.infra import cache as cached
from contest.infra.cache import CachedList


class Planted:
    """An object whose pickle creates a folder when it is read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@dataclass(frozen=True)
class Row:
    name: str


@pytest.fixture
def server(own_redis, settings, monkeypatch):
    url = own_redis[1]
    settings.CACHES = {"default": settings.CACHES["default"] | {"LOCATION": url}}
    monkeypatch.setattr(cached.breaker, "rests_until", 0.0)
    server = redis.Redis.from_url(url)
    server.flushdb()
    return server


def all_readings() -> list[object]:
    parts = cached.cached_parts({1: "one", 2: "two"}, lambda missing: {part: f"new {part}" for part in missing})
    many = cache.get_many(["plain"])
    return [cache.get("plain"), cache.get("plain", []), many, cached.remember("a", lambda: "new"), parts]


def fill() -> None:
    cache.set("plain", Row("kept"))
    cached.remember("a", lambda: "kept")
    cached.cached_parts({1: "one", 2: "two"}, lambda missing: dict.fromkeys(missing, "kept"))


KEPT = [Row("kept"), Row("kept"), {"plain": Row("kept")}, "kept", {1: "kept", 2: "kept"}]
MISSED = [None, [], {}, "new", {1: "new 1", 2: "new 2"}]


def test_a_pickle_planted_under_any_key_is_a_miss_and_does_not_run(server, tmp_path):
    fill()
    assert all_readings() == KEPT
    planted = tmp_path / "planted"
    signed = server.get(":1:plain")
    for value in (pickle.dumps(Planted(planted)), signed[:32] + pickle.dumps(Planted(planted)), b"", b"7", signed[:40]):
        server.mset(dict.fromkeys(server.scan_iter(), value))
        assert all_readings() == MISSED
        assert not planted.exists()
        assert cached.breaker.rests_until == 0.0
        server.flushdb()
        fill()
    pickle.loads(pickle.dumps(Planted(planted)))
    assert planted.exists(), "the pickle is one that runs"


@pytest.mark.parametrize("change", ["version", "key", "class"])
def test_after_an_upgrade_old_values_are_misses_without_an_error(server, settings, monkeypatch, change):
    fill()
    if change == "version":
        monkeypatch.setattr(solvers, "__version__", "99.0")
    elif change == "key":
        settings.SECRET_KEY = "another-key-0123456789-0123456789-0123456789"
    else:
        monkeypatch.delitem(globals(), "Row")
    settings.CACHES = dict(settings.CACHES)  # a new process makes a new cache
    readings = all_readings()
    assert readings[:3] == MISSED[:3]
    assert readings[3:] == (KEPT if change == "class" else MISSED)[3:]


def test_a_pickled_task_is_refused_by_every_worker(own_redis, tmp_path):
    """Send as an attacker with the broker would, and read as Celery's workers do."""
    socket, _, database = own_redis[1].removeprefix("unix://").partition("?db=")
    with Connection(f"redis+socket://{socket}?virtual_host={database}") as connection, connection.channel() as channel:
        queue = Queue("planted", channel=channel)
        reader = app.amqp.TaskConsumer(channel, queues=[queue])
        connection.Producer().publish(Planted(tmp_path / "planted"), routing_key="planted", serializer="pickle")
        message = queue.get(accept=reader.accept)
        with pytest.raises(ContentDisallowed):
            message.decode()
    assert reader.accept == {"application/json"}
    assert app.control.mailbox.accept == ["json"]
    assert not (tmp_path / "planted").exists()


def test_a_long_list_is_computed_once_and_read_in_parts(cache_of_its_own):
    made = []

    def make():
        made.append(1)
        return list(range(1234))

    for start, stop in ((0, 100), (450, 550), (1200, 1300), (1234, 1300), (0, 1234)):
        assert CachedList("numbers", make).part(start, stop) == list(range(1234))[start:stop]
        assert len(CachedList("numbers", make)) == 1234
    assert len(made) == 1
    assert CachedList("other", list).part(0, 9) == []
