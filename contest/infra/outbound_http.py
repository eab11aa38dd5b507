"""HTTP requests to URLs that strangers gave us: never into our own network, and never following redirects.

All requests of a batch run at once, each with one deadline for the whole request: a slow receiver delays the batch
by some seconds at most.
"""

import asyncio
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

import httpx
from django.conf import settings

SECONDS = 5.0  # for a whole request, whatever the result


@dataclass(frozen=True)
class Answer:
    """Result of a request: accepted (status 200 to 299) or not, and a description of the result."""

    is_taken: bool
    description: str


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
            return list(await asyncio.gather(*(_post(client, request) for request in requests)))

    return asyncio.run(run())


async def _post(client: httpx.AsyncClient, outbound: OutboundRequest) -> Answer:
    try:
        async with asyncio.timeout(SECONDS):
            request = await asyncio.to_thread(
                _build_pinned_request, client, outbound.url, outbound.body, outbound.headers
            )
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
            request = await asyncio.to_thread(
                _build_pinned_request, client, outbound.url, outbound.body, outbound.headers
            )
            response, text = await client.send(request, stream=True), b""
            async for chunk in response.aiter_raw(4_096):
                text += chunk
                if len(text) > _MAX_TEXT_BYTES:
                    break
            await response.aclose()
    except (NotPublic, TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, KeyError) as error:
        return Reply(0, "", f"no answer: {type(error).__name__}")
    return Reply(response.status_code, text[:_MAX_TEXT_BYTES].decode(errors="replace"), f"HTTP {response.status_code}")


def _build_pinned_request(
    client: httpx.Client | httpx.AsyncClient, url: str, body: bytes, headers: dict[str, str]
) -> httpx.Request:
    """Build the request to the very address that was checked, so that a later DNS change has no effect."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or {"https": 443, "http": 80}[parts.scheme]
    address = _public_address(host, port)
    netloc = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    pinned = urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))
    host_header = host if parts.port is None else f"{host}:{parts.port}"
    # The certificate must match the host name, not the address.
    return client.build_request(
        "POST", pinned, content=body, headers={**headers, "Host": host_header}, extensions={"sni_hostname": host}
    )


def _public_address(host: str, port: int) -> str:
    """Return the first address of *host* if all of them are public. Raise Inside or OSError."""
    addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not settings.WEBHOOKS_MAY_STAY_INSIDE and not all(map(_is_public, addresses)):
        raise NotPublic
    return addresses[0]


def _is_public(address_text: str) -> bool:
    address = ip_address(address_text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    if mapped is not None:
        address = mapped
    if getattr(address, "is_site_local", False):  # fec0::/10: global for Python, but in use on old networks
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved
