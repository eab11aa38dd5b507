"""Names that resolve to this machine: the site sends nothing to them, and serves no page under them."""

import socket
from threading import Thread

import pytest
from django.test import Client

from contest.infra import outbound_http
from contest.settings import environment

# Spellings of an address or a name of this machine.
LOOPBACK = [
    "localhost",
    "LOCALHOST.",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0",
    "[::1]",
    "[::ffff:7f00:1]",
    socket.gethostname(),
]


@pytest.fixture
def listener():
    """A server that accepts connections on every address of this machine, and records each."""
    came = []
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as server:

        def take():
            while True:
                try:
                    connection, _address = server.accept()
                except OSError:
                    return
                came.append(connection)
                connection.close()

        thread = Thread(target=take, daemon=True)
        thread.start()
        yield server.getsockname()[1], came
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.mark.parametrize("name", LOOPBACK)
def test_nothing_is_sent_to_a_host_name_of_this_machine(listener, settings, name):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    port, came = listener
    answer = outbound_http.post(f"http://{name}:{port}/", b"{}", {})
    assert not answer.is_taken
    assert came == []


def test_a_host_name_is_resolved_only_once(settings, monkeypatch):
    """The name resolves first to a public address, then to this machine: the connection uses the checked address."""
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    addresses = iter(["93.184.216.34", "127.0.0.1"])

    def change(_host, port, **_options):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(addresses), port))]

    # Only for this block, because later code resolves other names.
    with monkeypatch.context() as changed, outbound_http.httpx.Client() as client:
        changed.setattr(socket, "getaddrinfo", change)
        request = outbound_http._build_pinned_request(client, "https://hook.example/", b"{}", {})
    assert request.url.host == "93.184.216.34"
    assert next(addresses) == "127.0.0.1"  # the name was not resolved a second time


# Names of an attacker's page that may resolve to this machine.
OTHERS = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80"]


@pytest.mark.parametrize("host", OTHERS)
def test_a_page_under_a_rebound_host_name_gets_nothing(db, settings, host):
    """If evil.example resolves to 127.0.0.1, its page can read nothing from a site on its reader's machine."""
    settings.ALLOWED_HOSTS = environment.ALLOWED_HOSTS
    for address in ("/en/", "/api/v1/rounds/"):
        answer = Client(raise_request_exception=False).get(address, headers={"Host": host})
        assert answer.status_code == 400
        assert b"localhost" not in answer.content
