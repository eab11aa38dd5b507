"""The instructions in docs/how-to/operations.md are correct."""

import re
from pathlib import Path

import pytest

from contest.infra import clock
from contest.models import Heartbeat, Part
from contest.ops import metrics
from tooling.site import Address, beat_command, web_command, worker_command

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/how-to/operations.md").read_text()


@pytest.mark.django_db
def test_every_metric_used_by_an_alarm_exists(own_redis, settings):
    settings.LIMITS_URL = own_redis[1]
    for part in Part:
        Heartbeat.objects.create(part=part, beat_at=clock.now())
    named = set(re.findall(r"leitai_\w+", PAGE))
    shown = set(re.findall(r"^# TYPE (leitai_\w+)", metrics.render_page().decode(), re.MULTILINE))
    assert named
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in named} <= shown


def test_every_command_is_documented_except_development_commands():
    ours = {file.stem for file in (ROOT / "contest/management/commands").glob("[a-z]*.py")}
    table = PAGE.split("## Commands")[1]
    assert ours - set(re.findall(r"`(\w+)`", table)) == {"api_docs", "make_levels", "simulate"}


def test_commands_without_docker_match_dev_py_and_leave_the_checkout_clean():
    given = PAGE.split("### Without Docker")[1].split("- **Packages.**")[0]
    beat = beat_command(Path("/var/lib/leitai/celerybeat-schedule"))
    judge = worker_command("judge", "prefork", 2)
    for command in (web_command(Address("0.0.0.0", 8000)), judge, beat):
        assert f"python {' '.join(command)}\n" in given
