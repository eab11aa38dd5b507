from datetime import timedelta
from unittest.mock import Mock

import pytest
import redis
from django.db import OperationalError
from prometheus_client.parser import text_string_to_metric_families

from contest import submissions
from contest.infra import clock
from contest.judging import claims, judge
from contest.models import Heartbeat, Part, State, Submission
from contest.ops import metrics
from tests.cast import DURING, send

pytestmark = pytest.mark.django_db


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
    monkeypatch.setattr(Heartbeat.objects, "filter", Mock(side_effect=OperationalError))
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
