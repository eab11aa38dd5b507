"""Host names and URLs that always mean this machine."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback(name: str) -> bool:
    """Return True if *name* always means this machine itself.

    >>> [is_loopback(name) for name in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "", "127.example", ".localhost")]
    [True, True, True, False, False, False, False]
    """
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def is_loopback_url(url: str) -> bool:
    """Return True if the host of *url* always means this machine itself.

    >>> [is_loopback_url(url) for url in ("http://[::1]:8000", "http://localhost", "localhost:8000", "http://[")]
    [True, True, False, False]
    """
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False
