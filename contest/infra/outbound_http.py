"""Requests to addresses that strangers gave us: never into our own network, never further than the first answer.

All that are due go at once and have one deadline from the first byte to the last: a receiver that drips holds up
nobody, and itself for some seconds.
"""

import asyncio
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

import httpx
from django.conf import settings

SECONDS = 5.0  # for a whole request, whatever comes of it


@dataclass(frozen=True)
class Answer:
    """Whether the receiver took it (a status of 200 to 299), and what happened in words."""

    is_taken: bool
    words: str


@dataclass(frozen=True)
class Letter:
    """What is to be told to whom."""

    url: str
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """What a receiver answered: its status (0 where it did not), the start of its text, and what happened in words."""

    status: int
    text: str
    words: str


class Inside(Exception):
    """The name leads to an address that is not the public internet's."""


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send *body*, following no redirect; the answer's own body is not read."""
    return post_all([Letter(url, body, headers)])[0]


def post_all(letters: Iterable[Letter]) -> list[Answer]:
    """Post all *letters* at once, and return what came of each, in their order."""

    async def go() -> list[Answer]:
        async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False, trust_env=False) as client:
            return list(await asyncio.gather(*(_post(client, letter) for letter in letters)))

    return asyncio.run(go())


async def _post(client: httpx.AsyncClient, letter: Letter) -> Answer:
    try:
        async with asyncio.timeout(SECONDS):
            request = await asyncio.to_thread(_pin, client, letter.url, letter.body, letter.headers)
            answer = await client.send(request, stream=True)
            await answer.aclose()
    except Inside:
        return Answer(is_taken=False, words="refused: not a public address")
    except TimeoutError:
        return Answer(is_taken=False, words=f"no answer within {SECONDS:.0f} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        return Answer(is_taken=False, words=f"no answer: {type(error).__name__}")
    return Answer(answer.is_success, f"HTTP {answer.status_code}")


_LONGEST_TEXT = 65_536


def ask(url: str, body: bytes, headers: dict[str, str]) -> Reply:
    """Post *body* and read a short answer, following no redirect."""

    async def go() -> Reply:
        async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False, trust_env=False) as client:
            return await _ask(client, Letter(url, body, headers))

    return asyncio.run(go())


async def _ask(client: httpx.AsyncClient, letter: Letter) -> Reply:
    try:
        async with asyncio.timeout(SECONDS):
            request = await asyncio.to_thread(_pin, client, letter.url, letter.body, letter.headers)
            answer, text = await client.send(request, stream=True), b""
            async for chunk in answer.aiter_raw(4_096):
                text += chunk
                if len(text) > _LONGEST_TEXT:
                    break
            await answer.aclose()
    except (Inside, TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, KeyError) as error:
        return Reply(0, "", f"no answer: {type(error).__name__}")
    return Reply(answer.status_code, text[:_LONGEST_TEXT].decode(errors="replace"), f"HTTP {answer.status_code}")


def _pin(client: httpx.Client | httpx.AsyncClient, url: str, body: bytes, headers: dict[str, str]) -> httpx.Request:
    """The request to the very address that was looked at, wherever the name leads a moment later."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or {"https": 443, "http": 80}[parts.scheme]
    address = _public_address(host, port)
    netloc = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    pinned = urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))
    given_host = host if parts.port is None else f"{host}:{parts.port}"
    # The certificate must be the name's, not the address's.
    return client.build_request(
        "POST", pinned, content=body, headers={**headers, "Host": given_host}, extensions={"sni_hostname": host}
    )


def _public_address(host: str, port: int) -> str:
    """The first address of *host*, if all of them are public. Raise Inside or OSError."""
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not settings.WEBHOOKS_MAY_STAY_INSIDE and not all(map(_is_public, found)):
        raise Inside
    return found[0]


def _is_public(text: str) -> bool:
    address = ip_address(text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    if mapped is not None:
        address = mapped
    if getattr(address, "is_site_local", False):  # fec0::/10, which Python calls global, and old networks use
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved
