import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.mail import EmailMessage
from django.core.mail.backends import smtp

from contest.infra.mail import Server
from tests.sizes import cases

ROOT = Path(__file__).parents[3]
CONSOLE = "django.core.mail.backends.console.EmailBackend"


def found() -> set[str | None]:
    return {message.id for message in run_checks(tags=["security"], include_deployment_checks=True)}


@pytest.mark.parametrize(
    ("site", "hosts", "is_warned"),
    [
        ("https://a.example", ["b.example"], True),
        ("https://www.a.example:8443", [".a.example"], False),
        ("https://a.example", ["*"], False),
    ],
)
def test_the_host_of_the_site_is_an_allowed_one(settings, site, hosts, is_warned):
    settings.SITE_URL, settings.ALLOWED_HOSTS = site, hosts
    assert ("contest.W004" in found()) == is_warned


@pytest.mark.parametrize(("backend", "is_warned"), [(CONSOLE, True), ("contest.infra.mail.Server", False)])
def test_a_server_has_a_mail_server(settings, backend, is_warned):
    settings.EMAIL_BACKEND = backend
    assert ("contest.W005" in found()) == is_warned


@pytest.mark.parametrize(
    ("engine", "embedded", "named", "is_warned"),
    [
        ("postgres", False, False, True),
        ("postgres", False, True, False),
        ("postgres", True, False, False),
        ("sqlite", False, False, False),
    ],
)
def test_a_server_with_postgresql_names_its_broker(monkeypatch, settings, engine, embedded, named, is_warned):
    settings.EMBEDDED, settings.REDIS_IS_NAMED = embedded, named
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", f"contest.infra.{engine}")
    assert ("contest.W006" in found()) == is_warned


@pytest.mark.parametrize(
    "given",
    cases(
        ["WEB_THREADS=", "DATABASE_URL=nonsense"], ["WEB_THREADS=many", "DEBUG=maybe", "REDIS_URL=", "EMAIL_URL=here"]
    ),
)
def test_a_faulty_variable_is_named_without_a_traceback(tmp_path, given):
    name, _equals, value = given.partition("=")
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "SECRET_KEY": "k" * 50, "EMBEDDED": "1", name: value}
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, name in done.stderr, "Traceback" in done.stderr) == (1, True, False), done.stderr


def test_the_message_id_names_the_site(settings, monkeypatch):
    settings.SITE_URL = "https://contest.example"
    sent = []
    monkeypatch.setattr(smtp.EmailBackend, "send_messages", lambda _self, messages: sent.extend(messages))
    Server().send_messages([EmailMessage(), EmailMessage(headers={"Message-ID": "<letter-1@contest.example>"})])
    ids = [message.message()["Message-ID"] for message in sent]
    assert ids[0].endswith("@contest.example>")
    assert ids[1] == "<letter-1@contest.example>"
