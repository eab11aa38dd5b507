"""HTTP requests to URLs that strangers gave us: never into our own network, and never following redirects.

All requests of a batch run at once, each with one deadline for the whole request: a slow receiver delays the batch
by some seconds at most.
"""

import asyncio
import socket
import time
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Lock, Thread
from urllib.parse import urlsplit, urlunsplit

import httpx
from django.conf import settings

SECONDS = 5.0  # for a whole request, the lookup of its host included, whatever the result
_MOST_LOOKUPS = 128


@dataclass(frozen=True)
class Answer:
    """Result of a request: accepted (status 200 to 299) or not, a description of the result, and the time taken."""

    is_taken: bool
    description: str
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class OutboundRequest:
    """A request to send: URL, body and headers."""

    url: str
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """A receiver's reply: its status (0 if none), the start of its text, and a description of the result."""

    status: int
    text: str
    description: str


class NotPublic(Exception):
    """The host name resolves to an address that is not on the public internet."""


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send *body*, following no redirect; do not read the response body."""
    return post_all([OutboundRequest(url, body, headers)])[0]


def post_all(requests: Iterable[OutboundRequest]) -> list[Answer]:
    """Post all *requests* at once and return their results in the same order."""

    async def run() -> list[Answer]:
        async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False, trust_env=False) as client:
            return list(await asyncio.gather(*(_post_timed(client, request) for request in requests)))

    return asyncio.run(run())


async def _post_timed(client: httpx.AsyncClient, outbound: OutboundRequest) -> Answer:
    began = time.monotonic()
    return replace(await _post(client, outbound), seconds=time.monotonic() - began)


async def _post(client: httpx.AsyncClient, outbound: OutboundRequest) -> Answer:
    try:
        async with asyncio.timeout(SECONDS):
            request = await _build_pinned_request(client, outbound)
            response = await client.send(request, stream=True)
            await response.aclose()
    except NotPublic:
        return Answer(is_taken=False, description="refused: not a public address")
    except TimeoutError:
        return Answer(is_taken=False, description=f"no answer within {SECONDS:.0f} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return Answer(is_taken=False, description=f"no answer: {type(error).__name__}")
    return Answer(response.is_success, f"HTTP {response.status_code}")


_MAX_TEXT_BYTES = 65_536


def ask(url: str, body: bytes, headers: dict[str, str]) -> Reply:
    """Post *body* and read a short answer, following no redirect."""

    async def run() -> Reply:
        async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False, trust_env=False) as client:
            return await _ask(client, OutboundRequest(url, body, headers))

    return asyncio.run(run())


async def _ask(client: httpx.AsyncClient, outbound: OutboundRequest) -> Reply:
    try:
        async with asyncio.timeout(SECONDS):
            request = await _build_pinned_request(client, outbound)
            response, text = await client.send(request, stream=True), b""
            async for chunk in response.aiter_raw(4_096):
                text += chunk
                if len(text) > _MAX_TEXT_BYTES:
                    break
            await response.aclose()
    except (NotPublic, TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, KeyError) as error:
        return Reply(0, "", f"no answer: {type(error).__name__}")
    return Reply(response.status_code, text[:_MAX_TEXT_BYTES].decode(errors="replace"), f"HTTP {response.status_code}")


async def _build_pinned_request(client: httpx.AsyncClient, outbound: OutboundRequest) -> httpx.Request:
    """Build the request to the very address that was checked, so that a later DNS change has no effect."""
    parts = urlsplit(outbound.url)
    host, port = parts.hostname or "", parts.port or {"https": 443, "http": 80}[parts.scheme]
    address = _public_address(await asyncio.wrap_future(_look_up(host)))
    netloc = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    pinned = urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))
    headers = {**outbound.headers, "Host": host if parts.port is None else f"{host}:{parts.port}"}
    # The certificate must match the host name, not the address.
    return client.build_request(
        "POST", pinned, content=outbound.body, headers=headers, extensions={"sni_hostname": host}
    )


_lookups: dict[str, Future[list[str]]] = {}  # under way in this process, by host
_lookups_lock = Lock()


def _look_up(host: str) -> Future[list[str]]:
    """Begin to look up *host*, or return the lookup that is under way. Raise OSError if too many are.

    Each has a thread of its own: the system's resolver may hang for minutes, a few such names would fill asyncio's
    pool of threads, and its event loop ends only when they do.
    """
    with _lookups_lock:
        if host in _lookups:
            return _lookups[host]
        if len(_lookups) >= _MOST_LOOKUPS:
            raise OSError("too many lookups of names")
        lookup: Future[list[str]] = Future()
        _lookups[host] = lookup
    lookup.set_running_or_notify_cancel()  # a request whose time is over does not cancel it for the others
    Thread(target=_finish_lookup, args=(host, lookup), daemon=True).start()
    return lookup


def _finish_lookup(host: str, lookup: Future[list[str]]) -> None:
    try:
        addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
    except Exception as error:  # of any kind, which belongs to the request
        lookup.set_exception(error)
    else:
        lookup.set_result(addresses)
    finally:
        with _lookups_lock:
            del _lookups[host]


def _public_address(addresses: list[str]) -> str:
    """Return the first of a host's *addresses* if all of them are public. Raise NotPublic."""
    if not settings.WEBHOOKS_MAY_STAY_INSIDE and not all(map(is_public, addresses)):
        raise NotPublic
    return addresses[0]


# Python's `ipaddress` learns of new special-purpose networks years late, and differently in each version (3.11 to 3.13
# call 3fff::/20 global). So here are all rows of IANA's two registries as of 2025-10-09, and the multicast networks:
# https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry
# To renew, compare "Last Updated" there with this date, add new rows, and set the date. A row that the registry calls
# globally reachable is here too: such addresses are anycast services, relays and translators, never a receiver.
SPECIAL_NETWORKS = {
    ip_network(row.split(maxsplit=1)[0]): row.split(maxsplit=1)[1]
    for row in """
        0.0.0.0/8           this network
        0.0.0.0/32          this host on this network
        10.0.0.0/8          private use
        100.64.0.0/10       shared address space
        127.0.0.0/8         loopback
        169.254.0.0/16      link local
        172.16.0.0/12       private use
        192.0.0.0/24        IETF protocol assignments
        192.0.0.0/29        IPv4 service continuity
        192.0.0.8/32        dummy address
        192.0.0.9/32        port control protocol anycast
        192.0.0.10/32       TURN anycast
        192.0.0.170/32      NAT64 and DNS64 discovery
        192.0.0.171/32      NAT64 and DNS64 discovery
        192.0.2.0/24        documentation
        192.31.196.0/24     AS112
        192.52.193.0/24     AMT
        192.88.99.0/24      6to4 relay anycast, deprecated
        192.88.99.2/32      6a44 relay anycast
        192.168.0.0/16      private use
        192.175.48.0/24     AS112, direct delegation
        198.18.0.0/15       benchmarking
        198.51.100.0/24     documentation
        203.0.113.0/24      documentation
        224.0.0.0/4         multicast (another registry)
        240.0.0.0/4         reserved
        255.255.255.255/32  limited broadcast
        ::1/128             loopback
        ::/128              unspecified
        ::ffff:0:0/96       IPv4-mapped
        64:ff9b:1::/48      NAT64 of one network
        100::/64            discard only
        100:0:0:1::/64      dummy prefix
        2001::/23           IETF protocol assignments
        2001::/32           Teredo
        2001:1::1/128       port control protocol anycast
        2001:1::2/128       TURN anycast
        2001:1::3/128       DNS-SD registration anycast
        2001:2::/48         benchmarking
        2001:3::/32         AMT
        2001:4:112::/48     AS112
        2001:10::/28        ORCHID, deprecated
        2001:20::/28        ORCHIDv2
        2001:30::/28        drone remote identification
        2001:db8::/32       documentation
        2002::/16           6to4
        2620:4f:8000::/48   AS112, direct delegation
        3fff::/20           documentation
        5f00::/16           segment routing
        fc00::/7            unique local
        fe80::/10           link local
        ff00::/8            multicast (another registry)
    """.strip().splitlines()
}
_GLOBAL_UNICAST = ip_network("2000::/3")  # nothing else is allocated in IPv6
# The registry's one other row: a host without IPv4 reaches all of it through this network (DNS64), private parts too.
NAT64 = ip_network("64:ff9b::/96")


def is_public(address_text: str) -> bool:
    """Return whether an address in the standard spelling is one of a host on the public internet.

    >>> [is_public(text) for text in ("93.184.216.34", "10.0.0.1", "64:ff9b::93.184.216.34", "64:ff9b::10.0.0.1")]
    [True, False, True, False]
    """
    address: IPv4Address | IPv6Address = ip_address(address_text.partition("%")[0])
    if address in NAT64:
        address = IPv4Address(int(address) & 0xFFFF_FFFF)
    if address.version == 6 and address not in _GLOBAL_UNICAST:
        return False
    return not any(address in network for network in SPECIAL_NETWORKS)
