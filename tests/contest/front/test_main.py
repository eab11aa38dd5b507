import os
import sys

import pytest
import uvicorn

from contest.front import __main__ as front


def test_the_settings_know_where_the_server_listens(settings, monkeypatch):
    """Whether a second factor may wait hangs on it."""
    settings.BOUND_TO = ""
    monkeypatch.setenv("BOUND_TO", "")
    monkeypatch.setattr(sys, "argv", ["front", "--host", "127.0.0.1", "contest.wsgi:application"])
    monkeypatch.setattr(uvicorn.Server, "run", lambda server: setattr(server, "started", True))
    with pytest.raises(SystemExit):
        front.main()
    assert settings.BOUND_TO == os.environ["BOUND_TO"] == "127.0.0.1"
