"""Requests to webhooks: slow receivers delay nobody, and none reaches this machine or its network.

Addresses are public or not whatever the running Python's `ipaddress` knows about networks.
"""

import asyncio
import socket
import threading
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address, IPv6Address
from unittest.mock import Mock

import pytest
from django.test import Client

from contest.infra import outbound_http
from contest.infra.outbound_http import SPECIAL_NETWORKS, is_public
from contest.settings import environment


@pytest.fixture(autouse=True)
def _inside(settings):
    settings.WEBHOOKS_MAY_STAY_INSIDE = True


@contextmanager
def a_receiver(answer, host="127.0.0.1", **options):
    """Return the URL of a server that handles each connection with *answer* in a thread."""
    with socket.create_server((host, 0), **options) as server:

        def serve():
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"
        server.shutdown(socket.SHUT_RDWR)


def test_a_request_that_trickles_bytes_still_meets_its_deadline(monkeypatch):
    monkeypatch.setattr(outbound_http, "SECONDS", 0.3)
    is_over = threading.Event()

    def drip(connected):
        with connected, suppress(OSError):
            connected.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
            while not is_over.wait(0.01):
                connected.sendall(b"a")

    with a_receiver(drip) as url:
        answer = outbound_http.post(url, b"{}", {})
        is_over.set()
    assert answer == outbound_http.Answer(is_taken=False, description="no answer within 0 seconds")


@pytest.fixture
def hanging_names(monkeypatch):
    """Let names in .example hang, as in a resolver that gets no answer, until the event is set; list those that end."""
    look_up, is_over, ended = socket.getaddrinfo, threading.Event(), []

    def hang(host, *where, **how):
        if host.endswith(".example"):
            is_over.wait(30)
            ended.append(host)
            raise OSError
        return look_up(host, *where, **how)

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    yield is_over, ended
    is_over.set()


def test_names_without_an_answer_hold_back_no_other_request(hanging_names, monkeypatch):
    monkeypatch.setattr(outbound_http, "SECONDS", 60)
    is_over, ended = hanging_names

    def accept(connected):
        with connected:
            connected.recv(65_536)
            ended.append("a request was received")
            connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            is_over.set()

    with a_receiver(accept) as url:
        urls = [f"http://{number}.example/" for number in range(40)] + [url]
        answers = outbound_http.post_all(outbound_http.OutboundRequest(url, b"{}", {}) for url in urls)
    assert ended[0] == "a request was received"
    assert [answer.is_taken for answer in answers] == [False] * 40 + [True]


@pytest.mark.parametrize("call", [outbound_http.post, outbound_http.ask])
def test_a_name_without_an_answer_holds_no_worker_beyond_the_deadline(hanging_names, monkeypatch, call):
    monkeypatch.setattr(outbound_http, "SECONDS", 0.2)
    call("http://hook.example/", b"{}", {})
    assert hanging_names[1] == []


def test_lookups_of_names_are_limited_and_one_name_is_looked_up_once_at_a_time(hanging_names, monkeypatch):
    monkeypatch.setattr(outbound_http, "_MOST_LOOKUPS", len(outbound_http._lookups) + 2)
    first, second = outbound_http._look_up("1.example"), outbound_http._look_up("2.example")
    assert outbound_http._look_up("1.example") is first
    with pytest.raises(OSError, match="too many"):
        outbound_http._look_up("3.example")
    hanging_names[0].set()
    assert all(isinstance(lookup.exception(30), OSError) for lookup in (first, second))


PUBLIC = ["1.1.1.1", "93.184.216.34", "192.0.1.0", "223.255.255.255", "2606:4700::1111", "2001:200::1", "3fff:1000::1"]
# Of private IPv4 addresses in IPv6: mapped, compatible, translated, 6to4, Teredo (inverted), NAT64 in its two networks.
EMBEDDED = [
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "::10.0.0.1",
    "::ffff:0:127.0.0.1",
    "2002:7f00:1::",
    "2001:0:a00:1::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "64:ff9b::127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::224.0.0.1",
    "64:ff9b:1::127.0.0.1",
    "64:ff9b:1:ffff::7f00:1",
]
# Outside every row, and outside the allocated part of IPv6.
UNALLOCATED = ["fec0::1", "200::1", "1000::1", "4000::1", "e000::1", "fe00::1", "64:ff9b:2::1", "64:ff9b:0:1::1"]


@pytest.fixture(params=["knows nothing", "knows only global addresses"])
def any_python(request, monkeypatch):
    """Let `ipaddress` give the same answer for all addresses: no version of Python differs by more."""
    is_known = request.param != "knows nothing"
    for kind in (IPv4Address, IPv6Address):
        for name in ("is_private", "is_reserved", "is_multicast", "is_loopback", "is_link_local", "is_unspecified"):
            monkeypatch.setattr(kind, name, property(lambda _address: not is_known))
        monkeypatch.setattr(kind, "is_global", property(lambda _address: is_known))
    for name in ("ipv4_mapped", "sixtofour", "teredo"):
        monkeypatch.setattr(IPv6Address, name, property(lambda _address: None))


@pytest.mark.parametrize("network", SPECIAL_NETWORKS, ids=str)
def test_no_row_of_the_registries_is_public(any_python, network):
    ends = [network[0], network[-1], network[network.num_addresses // 2]]
    assert [str(end) for end in ends if is_public(str(end))] == []
    if network.version == 4:
        inside = [f"{form}{end}" for end in ends for form in ("64:ff9b::", "::ffff:", "64:ff9b:1::")]
        assert [text for text in inside if is_public(text)] == []


def test_no_embedded_private_or_unallocated_address_is_public(any_python):
    assert [text for text in [*EMBEDDED, *UNALLOCATED, "fe80::1%eth0"] if is_public(text)] == []


def test_hosts_of_the_internet_are_public_also_for_a_site_without_ipv4(any_python):
    assert [text for text in PUBLIC if not is_public(text)] == []
    assert [text for text in PUBLIC if "." in text and not is_public(f"64:ff9b::{text}")] == []


def test_one_inside_address_of_a_host_name_refuses_the_request(settings, monkeypatch):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    found = [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (text, 443, 0, 0)) for text in ("2606:4700::1", "5f00::1")]
    with monkeypatch.context() as changed:
        changed.setattr(socket, "getaddrinfo", lambda *_where, **_how: found)
        answer = outbound_http.post("https://hook.example/", b"", {})
    assert answer.description == "refused: not a public address"


# Spellings of an address or a name of this machine.
LOOPBACK = [
    "localhost",
    "127.0.0.1",
    "2130706433",
    "0",
    "[::1]",
    "[::ffff:7f00:1]",
    socket.gethostname(),
]


@pytest.mark.parametrize("name", LOOPBACK)
def test_nothing_is_sent_to_a_host_name_of_this_machine(settings, name):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    came = Mock()
    with a_receiver(came, "::", family=socket.AF_INET6, dualstack_ipv6=True) as url:
        answer = outbound_http.post(url.replace("127.0.0.1", name), b"{}", {})
    assert (answer.is_taken, came.called) == (False, False)


def test_a_host_name_is_resolved_only_once(settings, monkeypatch):
    """The name resolves first to a public address, then to this machine: the connection uses the checked address."""
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    addresses = iter(["93.184.216.34", "127.0.0.1"])

    def change(_host, port, **_options):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(addresses), port))]

    async def build():
        outbound = outbound_http.OutboundRequest("https://hook.example/", b"{}", {})
        async with outbound_http.httpx.AsyncClient() as client:
            return await outbound_http._build_pinned_request(client, outbound)

    # Only for this block, because later code resolves other names.
    with monkeypatch.context() as changed:
        changed.setattr(socket, "getaddrinfo", change)
        request = asyncio.run(build())
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
