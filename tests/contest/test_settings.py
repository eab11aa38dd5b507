"""Settings: both sizes, and errors that name the variable."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from contest.settings import environment

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


@pytest.fixture(scope="module")
def embedded():
    return load(EMBEDDED="1")


def read(monkeypatch, module: str, **env: str) -> dict[str, Any]:
    """Return the names of one module of the settings, read again with the variables *env*."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / f"contest/settings/{module}.py"))


def test_only_a_site_with_https_demands_it(production, embedded):
    """A site on one machine answers plain http; its cookies could not have the prefix `__Host-`."""
    names = (
        "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE",
    )  # fmt: skip
    for settings, is_https in ((production, True), (embedded, False)):
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
        ("environment", {"SECRET_KEY": "", "EMBEDDED": "0"}),
        ("environment", {"SECRET_KEY": f"django-insecure-{KEY}"}),
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


def test_one_machine_reads_its_secret_key_from_the_data_folder(monkeypatch, tmp_path):
    (tmp_path / "secret_key").write_text(f"{KEY}\n")
    environment = {"SECRET_KEY": "", "DATA_DIR": str(tmp_path)}
    assert read(monkeypatch, "environment", EMBEDDED="1", **environment)["SECRET_KEY"] == KEY
    assert read(monkeypatch, "environment", **(environment | {"SECRET_KEY": "y" * 32}))["SECRET_KEY"] == "y" * 32


def test_postgresql_ends_a_transaction_that_outlives_the_lease_and_may_prepare_statements(monkeypatch):
    env = {"DATABASE_URL": "postgres://site@db/site", "JUDGE_LEASE_SECONDS": "7"}
    database = read(monkeypatch, "databases", **env)["DATABASES"]["default"]
    assert "idle_in_transaction_session_timeout=7000" in database["OPTIONS"]["options"]
    assert (database["ENGINE"], database["OPTIONS"]["server_side_binding"]) == ("contest.infra.postgres", True)
    database = read(monkeypatch, "databases", PREPARED_STATEMENTS="0")["DATABASES"]["default"]
    assert "server_side_binding" not in database["OPTIONS"]
    assert database["CONN_HEALTH_CHECKS"]
