import os

from django.conf import settings

from contest.front import __main__ as front
from tests.contest.front.conftest import configured


def test_the_settings_know_where_the_server_listens(monkeypatch):
    """The grace period for a second factor depends on it."""
    seen = []
    monkeypatch.setattr(front, "allow_connections", lambda: seen.append((settings.BOUND_TO, os.environ["BOUND_TO"])))
    assert configured("--host", "127.0.0.5").config.host == "127.0.0.5"
    assert seen == [("127.0.0.5", "127.0.0.5")]
