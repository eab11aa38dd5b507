import os
import signal

import pytest
from django.conf import settings

from contest.front import __main__ as front
from contest.front.answers import MOST_UNREAD, MOST_UNREAD_PER_SENDER, Refusals, Unread
from tests.contest.front.conftest import configured
from tests.contest.patience import wait_until

HALF = MOST_UNREAD_PER_SENDER // 2


def test_all_together_have_so_much_unread():
    unread = Unread()
    senders = [f"sender {number}" for number in range(MOST_UNREAD // HALF + 1)]
    assert [unread.charge(one, HALF) for one in senders] == [True] * (len(senders) - 1) + [False]


def test_a_region_leaves_room_for_unread_answers_to_others():
    """Sixteen addresses of one network filled it, and read too slowly to empty it within hours."""
    unread = Unread()
    assert not all(unread.charge(f"192.0.2.{number}", HALF) for number in range(MOST_UNREAD // HALF))
    assert unread.charge("198.51.100.1", HALF)


def test_refusals_follow_each_other_at_an_even_pace_and_none_waits_long():
    refusals = Refusals()
    waits = [refusals.reserve(0.0) for _ in range(1_000)]
    assert waits[:3] == pytest.approx([0.0, 0.01, 0.02])
    assert max(waits) <= 5.0
    assert refusals.reserve(10.0) == pytest.approx(0.0)


def test_a_draining_server_answers_new_clients_and_finishes_open_requests(serve, connect):
    server = serve(DRAIN_SECONDS="600", WEB_THREADS="2")
    server.child.process.send_signal(signal.SIGTERM)
    wait_until(lambda: not server.is_up())
    assert [server.get(probe)[0] for probe in ("/healthz", "/readyz")] == [503, 503]
    status, headers, body = server.get(method="POST", body=b"x")
    assert (status, headers["Connection"], body) == (200, "close", b"POST 1 1")
    waiting = connect(server, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nx")
    assert server.get("/healthz")[0] == 503
    server.child.process.send_signal(signal.SIGTERM)
    waiting.sendall(b"y")
    assert waiting.recv(1_000).startswith(b"HTTP/1.1 200 ")
    server.child.process.wait(60)


def test_the_settings_know_where_the_server_listens(monkeypatch):
    """The grace period for a second factor depends on it."""
    seen = []
    monkeypatch.setattr(front, "allow_connections", lambda: seen.append((settings.BOUND_TO, os.environ["BOUND_TO"])))
    assert configured("--host", "127.0.0.5").config.host == "127.0.0.5"
    assert seen == [("127.0.0.5", "127.0.0.5")]
