from ipaddress import ip_network

import pytest
from django.test import RequestFactory

from contest.infra import client_ip

OUR_PROXIES = [ip_network("10.0.0.0/24"), ip_network("fd00::/64")]


def request_from(remote, forwarded=None, **headers):
    if forwarded is not None:
        headers["HTTP_X_FORWARDED_FOR"] = forwarded
    return RequestFactory().get("/", REMOTE_ADDR=remote, **headers)


@pytest.mark.parametrize(
    ("remote", "forwarded", "sender"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "192.0.2.66, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "not an address", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("fd00::1", "[2001:db8::5]:4711", "2001:db8::5"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("", "198.51.100.1", ""),
        ("127.0.0.1", "198.51.100.1", "127.0.0.1"),
    ],
)
def test_only_addresses_added_by_our_own_proxies_are_trusted(settings, remote, forwarded, sender):
    settings.TRUSTED_PROXIES = OUR_PROXIES
    assert client_ip.sender_of(request_from(remote, forwarded)) == sender


@pytest.mark.parametrize(
    ("remote", "headers", "local"),
    [
        ("127.0.0.1", {}, True),
        ("::1", {}, True),
        ("203.0.113.9", {}, False),
        ("127.0.0.1", {"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, False),
        ("127.0.0.1", {"HTTP_X_REAL_IP": "203.0.113.9"}, False),
        ("", {}, False),
    ],
)
def test_a_request_forwarded_by_a_proxy_on_this_machine_is_not_local(remote, headers, local):
    assert client_ip.is_local(request_from(remote, **headers)) is local
