import os
import subprocess
import sys
from ipaddress import ip_network
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
    ("code", "given", "is_warned"),
    [
        ("W001", {"BEHIND_PROXY": True, "TRUSTED_PROXIES": []}, True),
        ("W001", {"BEHIND_PROXY": True, "TRUSTED_PROXIES": [ip_network("10.0.0.0/24")]}, False),
        ("W001", {"BEHIND_PROXY": False, "TRUSTED_PROXIES": []}, False),
        ("W004", {"SITE_URL": "https://a.example", "ALLOWED_HOSTS": ["b.example"]}, True),
        ("W004", {"SITE_URL": "https://www.a.example:8443", "ALLOWED_HOSTS": [".a.example"]}, False),
        ("W004", {"SITE_URL": "https://a.example", "ALLOWED_HOSTS": ["*"]}, False),
        ("W005", {"EMAIL_BACKEND": CONSOLE}, True),
        ("W005", {"EMAIL_BACKEND": "contest.infra.mail.Server"}, False),
    ],
)
def test_a_server_names_its_proxies_its_host_and_its_mail_server(settings, code, given, is_warned):
    for name, value in given.items():
        setattr(settings, name, value)
    assert (f"contest.{code}" in found()) == is_warned
    assert run_checks(tags=["security"]) == []


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
