from datetime import timedelta

import pytest
import redis
from django.core.cache import cache
from django.db import OperationalError
from prometheus_client.parser import text_string_to_metric_families

from contest import judging, submissions
from contest.celery import tasks
from contest.infra import clock
from contest.judging import claims, judge
from contest.models import Heartbeat, Part, State, Submission
from contest.ops import health, metrics
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
    def down(_self, *_args, **_options):
        raise error("secret address")

    monkeypatch.setattr(redis.Redis, "set", down)
    health.judge_canary()
    assert asked(client) == {"broker"}
    assert b"secret" not in client.get("/readyz").content


def test_a_database_that_is_down_is_named_and_its_error_is_not_shown(client, monkeypatch, django_assert_num_queries):
    with django_assert_num_queries(0):  # the process is alive, whatever the state of the database
        assert client.get("/healthz").content == b"ok\n"

    def down(*_args, **_kwargs):
        raise OperationalError("password of the database")

    monkeypatch.setattr(Heartbeat.objects, "exists", down)
    monkeypatch.setattr(Heartbeat.objects, "filter", down)
    assert asked(client) == {"database", "judge"}
    assert b"password" not in client.get("/readyz").content


@pytest.fixture(autouse=True)
def counters(own_redis, settings):
    settings.LIMITS_URL = own_redis[1]
    counters = redis.Redis.from_url(settings.LIMITS_URL)
    counters.flushdb()
    metrics._counted.clear()
    yield counters
    counters.close()


def shown():
    families = text_string_to_metric_families(metrics.render_page().decode())
    return {(s.name, *sorted(s.labels.values())): s.value for family in families for s in family.samples}


def test_the_queue_is_read_from_the_database(during_round):
    for name in ("player", "rival", "stranger"):
        send(name, "rR")
    Submission.objects.filter(player__nickname="rival").update(state=State.QUARANTINED)
    claims.claim(1)
    with clock.set_to(DURING + timedelta(seconds=90)):
        page = shown()
    assert (page["leitai_waiting", "queued"], page["leitai_waiting", "running"], page[("leitai_held",)]) == (1, 1, 1)
    assert page[("leitai_oldest_waiting_seconds",)] == 90


def test_submissions_and_refusals_are_counted_by_door(during_round):
    claim = send("player", "rR").claim
    send("player", "rR", claim=claim)
    for nickname in ("player", ""):
        with pytest.raises(submissions.Refused):
            send(nickname, "rrR")
    page = shown()
    assert page["leitai_submissions_total", "api"] == 1
    assert not [part for key in page for part in key if "player" in part]
    assert page["leitai_refusals_total", "api", "name_taken"] == page["leitai_refusals_total", "api", "no_name"] == 1


def test_verdicts_and_their_latency_are_counted(during_round, django_capture_on_commit_callbacks):
    send("player", "rR")
    send("rival", "r")
    with django_capture_on_commit_callbacks(execute=True), clock.set_to(DURING + timedelta(seconds=2)):
        judge.judge_until_empty()
    page = shown()
    assert page["leitai_verdicts_total", "accepted"] == page["leitai_verdicts_total", "not_solved"] == 1
    assert (page["leitai_judge_seconds_bucket", "1.0"], page["leitai_judge_seconds_bucket", "2.5"]) == (0, 2)
    assert (page[("leitai_judge_seconds_count",)], page[("leitai_judge_seconds_sum",)]) == (2, 4)


def test_counts_made_while_redis_was_down_are_added_later(settings):
    there, nowhere = settings.LIMITS_URL, "redis://127.0.0.1:1/2"
    for url, is_up in ((nowhere, 0), (there, 1), (there, 1)):
        settings.LIMITS_URL = url
        metrics.count_submission("web")
        metrics.flush()
        assert shown()[("leitai_redis_up",)] == is_up
    assert shown()["leitai_submissions_total", "web"] == 3


def test_metrics_show_a_database_that_is_down_and_the_age_of_the_last_backup(monkeypatch):
    with clock.set_to(DURING):
        assert ("leitai_backup_age_seconds",) not in shown()
        Heartbeat.objects.create(part=Part.BACKUP, beat_at=clock.now() - timedelta(hours=30))
        assert shown()[("leitai_backup_age_seconds",)] == 30 * 3600

    def down(**_kwargs):
        raise OperationalError

    monkeypatch.setattr(Heartbeat.objects, "filter", down)
    assert shown()[("leitai_database_up",)] == 0


@pytest.mark.parametrize(
    ("token", "sent", "remote", "status"),
    [
        ("", {}, "127.0.0.1", 200),
        ("", {}, "203.0.113.9", 404),
        ("", {"X-Forwarded-For": "127.0.0.1"}, "203.0.113.9", 404),
        ("secret", {"Authorization": "Bearer wrong"}, "127.0.0.1", 404),
        ("secret", {"Authorization": "Bearer sécret"}, "127.0.0.1", 404),
        ("secret", {"Authorization": "Bearer secret"}, "203.0.113.9", 200),
    ],
)
def test_only_prometheus_may_read_metrics(client, settings, token, sent, remote, status):
    settings.METRICS_TOKEN = token
    answer = client.get("/metrics", headers=sent, REMOTE_ADDR=remote)
    assert answer.status_code == status
