from datetime import timedelta
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import redis
from django.core.cache import cache
from django.db import OperationalError

from contest import judging
from contest.celery import tasks
from contest.infra import clock
from contest.models import Heartbeat, Part
from contest.ops import health
from solvers.sokoban.reading.readers import Judgement, Outcome
from tests.cast import DURING, send

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def broker(monkeypatch):
    monkeypatch.setattr(redis.Redis, "set", lambda _self, *_args, **_options: True)
    with clock.set_to(DURING):
        yield


def beaten_ago(part, seconds):
    Heartbeat.objects.update_or_create(part=part, defaults={"beat_at": clock.now() - seconds * SECOND})


def asked(client):
    answer = client.get("/readyz")
    body = answer.json()
    assert answer["Cache-Control"].startswith("max-age=0")
    assert body["ready"] == (answer.status_code == 200) == all(part["ready"] for part in body["parts"].values())
    return {name for name, part in body["parts"].items() if not part["ready"]}


def test_a_site_is_ready_only_while_a_worker_judges_the_canary(client, settings, monkeypatch):
    assert asked(client) == {"judge"}
    with monkeypatch.context() as wrong:
        wrong.setattr(health.readers, "judge", lambda *_args, **_kwargs: Judgement(Outcome.ILLEGAL))
        health.judge_canary()
    assert asked(client) == {"judge"}
    tasks.keep_watch()
    assert asked(client) == set()
    for seconds, missing in ((settings.CANARY_SECONDS - 5, set()), (settings.CANARY_SECONDS + 5, {"judge"})):
        beaten_ago(Part.JUDGE, seconds)
        assert asked(client) == missing


def test_a_submission_that_waits_too_long_makes_the_judge_unready(client, during_round, settings):
    send("player", "rR")
    for seconds, late in ((settings.WAITING_SECONDS - 5, set()), (settings.WAITING_SECONDS + 5, {"judge"})):
        with clock.set_to(DURING + seconds * SECOND):
            health.judge_canary()
            assert asked(client) == late
    judging.judge_until_empty()
    with clock.set_to(DURING + seconds * SECOND):
        assert asked(client) == set()


def test_a_site_that_cannot_write_or_has_a_full_disk_is_not_ready(client, monkeypatch):
    """A full disk can still be read; the web process's own heartbeat is the first write to fail."""
    tasks.keep_watch()
    for seconds, missing in ((15, set()), (90, {"database"}), (0, set())):
        beaten_ago(Part.WEB, seconds)
        assert asked(client) == missing
    monkeypatch.setattr(health, "_MIN_FREE_BYTES", 10**18)
    assert asked(client) == {"disk"}


@pytest.mark.parametrize(("lacking", "is_ready"), [(0, True), (1, False)])
def test_a_disk_is_full_below_the_least_free_bytes(monkeypatch, lacking, is_ready):
    free = health._MIN_FREE_BYTES - lacking
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: SimpleNamespace(free=free))
    assert health.disk() == health.Readiness(is_ready, {"free_bytes": free})


def test_a_site_is_not_ready_while_its_solve_worker_reports_that_it_cannot_search(
    client, cache_of_its_own, monkeypatch
):
    tasks.keep_watch()
    assert asked(client) == set()
    tasks.check_compiler()
    assert asked(client) == set()
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    tasks.check_compiler()
    assert asked(client) == {"solver"}
    assert "numba" in health.trouble()
    cache.clear()
    assert asked(client) == set()


@pytest.mark.parametrize("error", [redis.ConnectionError, redis.OutOfMemoryError])
def test_a_broker_that_is_down_or_full_is_named_and_the_rest_is_still_checked(client, monkeypatch, error):
    monkeypatch.setattr(redis.Redis, "set", Mock(side_effect=error("secret address")))
    health.judge_canary()
    assert asked(client) == {"broker"}
    assert b"secret" not in client.get("/readyz").content


def test_a_database_that_is_down_is_named_and_its_error_is_not_shown(client, monkeypatch, django_assert_num_queries):
    with django_assert_num_queries(0):  # the process is alive, whatever the state of the database
        assert client.get("/healthz").content == b"ok\n"
    for name in ("exists", "filter"):
        monkeypatch.setattr(Heartbeat.objects, name, Mock(side_effect=OperationalError("password of the database")))
    assert asked(client) == {"database", "judge"}
    assert b"password" not in client.get("/readyz").content
