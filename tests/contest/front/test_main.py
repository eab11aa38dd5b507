import os
from typing import Any

from django.conf import settings

from contest.front import __main__ as front
from tests.contest.front.conftest import configured


def test_the_settings_know_where_the_server_listens(monkeypatch):
    """The grace period for a second factor depends on it."""
    seen = []
    monkeypatch.setattr(front, "allow_connections", lambda: seen.append((settings.BOUND_TO, os.environ["BOUND_TO"])))
    assert configured("--host", "127.0.0.5").config.host == "127.0.0.5"
    assert seen == [("127.0.0.5", "127.0.0.5")]


def test_several_processes_share_one_port(settings, monkeypatch):
    ran: list[Any] = []
    settings.WEB_WORKERS = 2
    monkeypatch.setattr(front.uvicorn.Config, "bind_socket", lambda _config: "a socket")
    monkeypatch.setattr(front.Multiprocess, "__init__", lambda _self, config, sockets: ran.append((config, sockets)))
    monkeypatch.setattr(front.Multiprocess, "run", lambda _self: ran.append("run"))
    monkeypatch.setattr(front.sys, "argv", ["front", "contest.wsgi:application"])
    monkeypatch.setenv("BOUND_TO", "")
    settings.BOUND_TO = ""
    front.main()
    (config, sockets), last = ran
    assert (config.workers, sockets, last) == (2, ["a socket"], "run")
