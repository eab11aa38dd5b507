"""Errors reach Sentry through its SDK without personal data; a missing package is named at start."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

import solvers
from contest.infra import monitoring
from contest.infra.monitoring import error_reports

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


def test_an_event_names_release_environment_and_request(report):
    for event in report["events"]:
        assert (event["release"], event["environment"]) == (f"leitai@{solvers.__version__}", "staging")
    assert report["events"][1]["tags"]["request"] == "from-the-proxy"


def test_no_event_holds_a_secret(report):
    sent = json.dumps(report["events"], ensure_ascii=False)
    texts = [*report["secrets"].values(), *report["secrets"]["board"].splitlines()]
    assert not [secret for secret in texts if secret in sent]
    assert "cookies" not in sent
    assert "vars" not in sent


def test_an_invalid_dsn_is_refused_at_start(settings):
    settings.SENTRY_DSN = "sentry.example.org"
    with pytest.raises(ImproperlyConfigured, match=r"^SENTRY_DSN is not a DSN"):
        error_reports.start()


@pytest.mark.parametrize(
    ("setting", "package", "extra"),
    [("SENTRY_DSN", "sentry_sdk", "sentry"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "opentelemetry", "otel")],
)
def test_a_missing_package_is_named_at_start_with_its_extra(monkeypatch, settings, setting, package, extra):
    setattr(settings, setting, DSN)
    for name in [*sys.modules]:
        if name.startswith((f"{package}.", f"{monitoring.__name__}.")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImproperlyConfigured, match=f"^{setting} is set, but .*leitai-server.{extra}."):
        monitoring.start()
