"""Webhooks reach the public internet only, whatever the running Python's `ipaddress` knows about networks."""

import socket
from ipaddress import IPv4Address, IPv6Address

import pytest

from contest.infra import outbound_http
from contest.infra.outbound_http import NAT64, SPECIAL_NETWORKS, is_public

PUBLIC = ["1.1.1.1", "93.184.216.34", "192.0.1.0", "223.255.255.255", "2606:4700::1111", "2001:200::1", "3fff:1000::1"]
# Of private IPv4 addresses in IPv6: mapped, compatible, translated, 6to4, Teredo (inverted), NAT64 in its two networks.
EMBEDDED = [
    "::ffff:10.0.0.1",
    "::ffff:127.0.0.1",
    "::10.0.0.1",
    "::ffff:0:127.0.0.1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "2001:0:a00:1::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::224.0.0.1",
    "64:ff9b:1::127.0.0.1",
    "64:ff9b:1:a00:0:100::",
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


def test_the_table_has_every_row_but_the_well_known_network_of_nat64():
    assert len(SPECIAL_NETWORKS) == 52
    assert NAT64 not in SPECIAL_NETWORKS


def test_one_inside_address_of_a_host_name_refuses_the_request(settings, monkeypatch):
    settings.WEBHOOKS_MAY_STAY_INSIDE = False
    found = [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (text, 443, 0, 0)) for text in ("2606:4700::1", "5f00::1")]
    with monkeypatch.context() as changed:
        changed.setattr(socket, "getaddrinfo", lambda *_where, **_how: found)
        with pytest.raises(outbound_http.NotPublic):
            outbound_http._public_address("hook.example", 443)
