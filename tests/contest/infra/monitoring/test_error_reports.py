import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

DSN = "https://key@127.0.0.1:9/1"
ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def report():
    """Run the failing site in a process of its own: the SDK changes Django and Celery for good."""
    variables = {"SENTRY_DSN": DSN, "SENTRY_ENVIRONMENT": "staging", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    command = [sys.executable, "-m", "tests.contest.infra.monitoring.failing_site"]
    run = subprocess.run(command, env=os.environ | variables, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_errors_of_views_tasks_and_logs_are_sent(report):
    view, task, line = report["events"]
    assert view["exception"]["values"][-1]["type"] == "DatabaseError"
    assert view["transaction"] == "/en/s/<str:receipt>/"
    assert view["request"] == {"method": "POST", "url": "http://testserver/en/s/<str:receipt>/"}
    assert any(frame["function"] == "fail" for frame in view["exception"]["values"][-1]["stacktrace"]["frames"])
    assert task["transaction"] == "failing"
    assert task["exception"]["values"][-1]["value"].startswith("… by …@…: ")
    assert line["logentry"]["formatted"] == "No receipt /s/…/ for …@…"


def test_no_event_holds_a_secret(report):
    sent = json.dumps(report["events"], ensure_ascii=False)
    texts = [*report["secrets"].values(), *report["secrets"]["board"].splitlines()]
    assert not [secret for secret in texts if secret in sent]
    assert "cookies" not in sent
    assert "vars" not in sent
