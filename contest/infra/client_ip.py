"""Client address of a request. Proxies are configured, never assumed (docs/how-to/operations.md)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Size of the LRU caches below, as each request looks up its address several times; and the longest written address.
_CACHE_SIZE, _LONGEST_ADDRESS = 4_096, 45
_ADDED_BY_PROXIES = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


def sender_of(request: HttpRequest) -> str:
    """Return the client address of the request; "" if the server does not know it (a Unix socket).

    Every proxy appends the address of its peer to X-Forwarded-For. So the list is read from its end, and only as far as
    our own proxies vouch for it: anything the client wrote into the header comes before that and is never reached.
    """
    return sender_in(request.META)


def sender_in(environ: Mapping[str, str]) -> str:
    """Return the client address from a WSGI environ, as `sender_of` does."""
    arguments = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", ""), tuple(settings.TRUSTED_PROXIES)
    return _find_address(*arguments) if len(arguments[1]) <= _LONGEST_ADDRESS else _find_address.__wrapped__(*arguments)


@lru_cache(_CACHE_SIZE)
def _find_address(remote: str, forwarded: str, proxies: tuple[Network, ...]) -> str:
    address = _parse(remote)
    for hop in reversed(forwarded.split(",")):
        if address is None or not _is_among(proxies, address) or (forwarded_address := _parse(hop)) is None:
            break
        address = forwarded_address
    return "" if address is None else str(address)


@lru_cache(_CACHE_SIZE)
def block_of(address: str) -> str:
    """Return the range of addresses one client controls: an IPv4 address, a whole /64 of IPv6; "" if unknown.

    >>> block_of("2001:db8::1:2"), block_of("192.0.2.7")
    ('2001:db8::/64', '192.0.2.7')
    """
    if not address:
        return ""
    parsed = ip_address(address)
    return str(ip_network((parsed, 64), strict=False) if parsed.version == 6 else parsed)


@lru_cache(_CACHE_SIZE)
def network_around(address: str) -> str:
    """Return the network around an address: the /24 of IPv4, the /48 of IPv6, which one site may have for itself.

    >>> network_around("2001:db8:0:7::2"), network_around("192.0.2.7")
    ('2001:db8::/48', '192.0.2.0/24')
    """
    parsed = ip_address(address)
    return str(ip_network((parsed, 48 if parsed.version == 6 else 24), strict=False))


def is_proxy(text: str) -> bool:
    """Return whether *text* is the address of one of our own proxies."""
    address = _parse(text)
    return address is not None and _is_among(settings.TRUSTED_PROXIES, address)


def is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine and was not forwarded by an unconfigured local proxy."""
    address = _parse(sender_of(request))
    is_forwarded = any(name in request.META for name in _ADDED_BY_PROXIES)
    return address is not None and address.is_loopback and not is_forwarded


def _parse(text: str) -> Address | None:
    """Return the address without port or zone; an IPv4-mapped IPv6 address counts as the IPv4 address."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    text = text.partition("%")[0]
    return _address(text) if len(text) <= _LONGEST_ADDRESS else None


@lru_cache(_CACHE_SIZE)
def _address(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


def _is_among(networks: Iterable[Network], address: Address) -> bool:
    return any(address in network for network in networks)
