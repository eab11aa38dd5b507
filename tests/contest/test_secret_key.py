"""The key that signs cookies: a server needs its own; development has one that everybody can read."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import Error
from django.core.exceptions import ImproperlyConfigured

from contest.ops import checks
from tests import sizes

ROOT = Path(__file__).parents[2]
OWN = "a key of fifty characters that only this server has"
OF_SITES_FOR_OTHERS = {
    "HTTPS": "1", "BEHIND_PROXY": "1", "EMBEDDED": "0", "SITE_URL": "https://contest.example", "BOUND_TO": "0.0.0.0",
}  # fmt: skip
DEVELOPMENT = "django-insecure-development-key-for-DEBUG-on-localhost-only"


@pytest.fixture
def key_of(monkeypatch, tmp_path):
    """Read the settings with the given environment variables only, and return the key."""

    def read(**settings: str) -> str:
        for name in ("SECRET_KEY", "EMBEDDED", "DEBUG", "ALLOWED_HOSTS", "LEGACY_HOSTS", *OF_SITES_FOR_OTHERS):
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"DATA_DIR": str(tmp_path)} | settings).items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "contest/settings/environment.py"))["SECRET_KEY"]

    return read


def test_development_on_localhost_needs_no_key(key_of, tmp_path):
    assert key_of(DEBUG="1") == DEVELOPMENT
    assert key_of(DEBUG="1", SECRET_KEY=OWN) == OWN
    (tmp_path / "secret_key").write_text(OWN)
    assert key_of(DEBUG="1") == OWN, "the data folder of `dev.py run`"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"DEBUG": "0"},
        {"EMBEDDED": "1"},
        {"SECRET_KEY": DEVELOPMENT},
        {"SECRET_KEY": DEVELOPMENT, "DEBUG": "1"},
        {"SECRET_KEY": "short", "DEBUG": "1"},
        {"DEBUG": "1", "ALLOWED_HOSTS": "leitai.example,localhost"},
        {"DEBUG": "1", "ALLOWED_HOSTS": "*"},
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
    """Run Python in *folder* with only these *settings*."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DATA_DIR": str(folder)} | settings
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", "import contest.wsgi"],
        ["-c", "from contest.celery import app; app.conf.broker_url"],
        ["-m", "contest.front", "no.such:application"],
    ],
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
