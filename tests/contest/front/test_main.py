import os
from unittest.mock import Mock

import pytest
from django.conf import settings

from contest.front import __main__ as front
from tests.contest.front.conftest import configured


def test_the_settings_know_where_the_server_listens(monkeypatch):
    """The grace period for a second factor depends on it."""
    seen = []
    monkeypatch.setattr(front, "allow_connections", lambda: seen.append((settings.BOUND_TO, os.environ["BOUND_TO"])))
    assert configured("--host", "127.0.0.5").config.host == "127.0.0.5"
    assert seen == [("127.0.0.5", "127.0.0.5")]


@pytest.mark.parametrize(
    ("has_own_key", "host", "is_started"),
    [(False, "127.0.0.5", True), (False, "192.0.2.7", False), (True, "192.0.2.7", True)],
)
def test_the_development_key_is_used_on_this_machine_only(settings, monkeypatch, capsys, has_own_key, host, is_started):
    settings.SECRET_KEY = "a key of fifty characters of this server" if has_own_key else settings.DEVELOPMENT_KEY
    monkeypatch.setattr(front, "allow_connections", lambda: None)
    monkeypatch.setattr(front.sys, "argv", ["front", "--host", host, "tests.contest.front.plain:application"])
    run = Mock()
    monkeypatch.setattr(front.uvicorn.Server, "run", run)
    with pytest.raises(SystemExit):
        front.main()
    assert run.called == is_started
    assert ("could forge every cookie" in capsys.readouterr().err) == (not is_started)
