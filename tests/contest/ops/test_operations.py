"""docs/operations.md: whoever runs the site by it must not be led astray."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from contest.infra import clock
from contest.models import Heartbeat, Part
from contest.ops import metrics

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/operations.md").read_text()


def test_every_variable_that_settings_read_is_explained():
    code = "".join(file.read_text() for file in (ROOT / "contest/settings").glob("*.py"))
    read = set(re.findall(r'(?:env|env\.\w+|_networks)\(\s*"([A-Z_]+)"', code))
    table = PAGE.split("## Environment")[1].split("## Limits")[0]
    assert len(read) > 15
    assert read - set(re.findall(r"`([A-Z_]+)`", table)) == {"DEBUG", "BOUND_TO"}


@pytest.mark.django_db
def test_every_metric_that_an_alarm_asks_for_is_there(own_redis, settings):
    settings.LIMITS_URL = own_redis[1]
    for part in Part:
        Heartbeat.objects.create(part=part, beat_at=clock.now())
    named = set(re.findall(r"leitai_\w+", PAGE))
    shown = set(re.findall(r"^# TYPE (leitai_\w+)", metrics.page().decode(), re.MULTILINE))
    assert named
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in named} <= shown


def test_every_command_that_is_named_exists():
    named = set(re.findall(r"manage\.py (\w+)", PAGE))
    assert {"backup", "restore", "sweep", "audit"} <= named
    assert named <= set(get_commands())
