import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured

from contest.ops import checks
from contest.settings import environment
from tests import sizes

ROOT = Path(__file__).parents[2]
KEY = "only-for-tests-0123456789-0123456789"
LOAD = """
import json
from contest import settings
print(json.dumps({name: value for name, value in vars(settings).items() if name.isupper()}, default=lambda _: None))
"""


def load(**env: str) -> dict[str, object]:
    """Return all settings of a new process with only the variables *env*; null if not JSON."""
    env = {"SECRET_KEY": KEY, "PATH": os.environ["PATH"]} | env
    command = [sys.executable, "-c", LOAD]
    return json.loads(subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def production():
    return load()


def read(monkeypatch, module: str, **env: str) -> dict[str, Any]:
    """Return the names of one module of the settings, read again with the variables *env*."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / f"contest/settings/{module}.py"))


def test_only_a_site_with_https_demands_it(production):
    """A site on one machine answers plain http; its cookies could not have the prefix `__Host-`."""
    names = (
        "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE",
    )  # fmt: skip
    for settings, is_https in ((production, True), (load(EMBEDDED="1"), False)):
        assert {settings[name] for name in names} == {is_https}
        assert settings["MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN"] is not is_https
        assert settings["SECURE_HSTS_SECONDS"] == (31_536_000 if is_https else 0)
        assert settings["SESSION_COOKIE_NAME"] == ("__Host-session" if is_https else "session")


@pytest.mark.parametrize(
    ("chosen", "bound"),
    [
        ({}, (False, False)),
        ({"HSTS_PRELOAD": "1"}, (False, False)),
        ({"HSTS_SUBDOMAINS": "1"}, (True, False)),
        ({"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, (True, True)),
        ({"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1", "HTTPS": "0"}, (False, False)),
    ],
    ids=str,
)
def test_hsts_binds_only_this_host_unless_the_operator_chooses_more(monkeypatch, chosen, bound):
    monkeypatch.setattr(environment, "HTTPS", chosen.get("HTTPS") != "0")
    settings = read(monkeypatch, "security", **chosen)
    assert (settings["SECURE_HSTS_INCLUDE_SUBDOMAINS"], settings["SECURE_HSTS_PRELOAD"]) == bound


def test_a_proxy_a_log_in_json_and_lines_per_task_are_opt_in(production):
    chosen = load(BEHIND_PROXY="1", LOG_FORMAT="json", LOG_TASKS="1")
    assert "SECURE_PROXY_SSL_HEADER" not in production
    assert chosen["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]
    for logger in ("celery.beat", "celery.worker.request"):  # the second logs each periodic task that expired
        levels = [settings["LOGGING"]["loggers"][logger]["level"] for settings in (production, chosen)]
        assert levels == ["WARNING", "INFO"]
    assert [settings["LOG_REQUESTS"] for settings in (production, chosen)] == [False, True]


@pytest.mark.parametrize(
    ("module", "variables"),
    [
        ("environment", {"TRUSTED_PROXIES": "10.0.0.0/8,nowhere"}),
        ("__init__", {"LOG_FORMAT": "xml"}),
        ("site", {"SITE_NAME": "x" * 61}),
        ("site", {"TIME_ZONE": "Mars/Olympus"}),
    ],
    ids=str,
)
def test_a_wrong_variable_is_named(monkeypatch, module, variables):
    with pytest.raises(ImproperlyConfigured, match=next(iter(variables))):
        read(monkeypatch, module, **variables)


def test_postgresql_ends_a_transaction_that_outlives_the_lease_and_may_prepare_statements(monkeypatch):
    env = {"DATABASE_URL": "postgres://site@db/site", "JUDGE_LEASE_SECONDS": "7"}
    database = read(monkeypatch, "databases", **env)["DATABASES"]["default"]
    assert "idle_in_transaction_session_timeout=7000" in database["OPTIONS"]["options"]
    assert (database["ENGINE"], database["OPTIONS"]["server_side_binding"]) == ("contest.infra.postgres", True)
    database = read(monkeypatch, "databases", PREPARED_STATEMENTS="0")["DATABASES"]["default"]
    assert "server_side_binding" not in database["OPTIONS"]
    assert database["CONN_HEALTH_CHECKS"]


# A server needs its own key; development has one that everybody can read.
OWN = "a key of fifty characters that only this server has"
OF_SITES_FOR_OTHERS = {
    "HTTPS": "1", "BEHIND_PROXY": "1", "EMBEDDED": "0", "SITE_URL": "https://contest.example", "BOUND_TO": "0.0.0.0",
}  # fmt: skip
DEVELOPMENT = "django-insecure-development-key-for-DEBUG-on-localhost-only"


@pytest.fixture
def key_of(monkeypatch, tmp_path):

    def read_key(**settings: str) -> str:
        for name in ("SECRET_KEY", "EMBEDDED", "DEBUG", "ALLOWED_HOSTS", "LEGACY_HOSTS", *OF_SITES_FOR_OTHERS):
            monkeypatch.delenv(name, raising=False)
        return read(monkeypatch, "environment", **{"DATA_DIR": str(tmp_path)} | settings)["SECRET_KEY"]

    return read_key


def test_development_on_localhost_needs_no_key(key_of, tmp_path):
    assert key_of(DEBUG="1") == DEVELOPMENT
    assert key_of(DEBUG="1", SECRET_KEY=OWN) == OWN
    (tmp_path / "secret_key").write_text(OWN)
    assert key_of(DEBUG="1") == key_of(EMBEDDED="1") == OWN, "the data folder of `dev.py run`"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"EMBEDDED": "1"},
        {"SECRET_KEY": DEVELOPMENT},
        {"SECRET_KEY": DEVELOPMENT, "DEBUG": "1"},
        {"SECRET_KEY": "short", "DEBUG": "1"},
        {"DEBUG": "1", "ALLOWED_HOSTS": "leitai.example,localhost"},
        {"DEBUG": "1", "LEGACY_HOSTS": "old.example"},
        *({"DEBUG": "1", name: value} for name, value in OF_SITES_FOR_OTHERS.items()),
        {"DEBUG": "1", "SITE_URL": "localhost:8000"},
        {"DEBUG": "1", "BOUND_TO": "192.0.2.7"},
    ],
    ids=str,
)
def test_everything_else_is_refused_in_one_line_that_says_what_to_do(key_of, settings):
    with pytest.raises(
        ImproperlyConfigured, match=r"copy \.env\.example to \.env, or set DEBUG=1.*token_urlsafe"
    ) as info:
        key_of(**settings)
    assert "\n" not in str(info.value)


def test_settings_of_this_machine_leave_the_development_key(key_of):
    assert key_of(DEBUG="1", SITE_URL="http://localhost:8000", BOUND_TO="127.0.0.5", HTTPS="0") == DEVELOPMENT
    assert key_of(DEBUG="1", SITE_URL="http://[::1]:8000", BOUND_TO="::1", BEHIND_PROXY="0") == DEVELOPMENT


def run(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DATA_DIR": str(folder)} | settings
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    "arguments",
    sizes.cases(
        [["-c", "import contest.wsgi"]],
        [["-c", "from contest.celery import app; app.conf.broker_url"], ["-m", "contest.front", "no.such:application"]],
    ),
    ids=["wsgi", "celery", "front"],
)
def test_no_process_of_a_server_starts_without_a_key_or_reads_env_files(arguments, tmp_path):
    (tmp_path / ".env").write_text("DEBUG=1\n")
    done = run(tmp_path, *arguments)
    assert done.returncode != 0
    assert "ImproperlyConfigured: SECRET_KEY is missing" in done.stderr


@pytest.mark.parametrize("host", sizes.cases(["0.0.0.0"], [""]))
def test_the_web_server_refuses_the_development_key_on_other_addresses(host, tmp_path):
    done = run(tmp_path, "-m", "contest.front", "--host", host, "no.such:application", DEBUG="1")
    assert done.returncode == 2
    assert f"--host {host!r} can be reached from other machines" in done.stderr
    assert "SECRET_KEY" in done.stderr


def test_the_check_for_servers_refuses_debug(settings):
    settings.DEBUG = True
    assert [type(message) for message in checks.debug()] == [Error]
    settings.DEBUG = False
    assert checks.debug() == []
