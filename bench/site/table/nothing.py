"""A WSGI application that reads the request and does nothing with it: the cost of the web server alone."""

from collections.abc import Callable, Iterable
from typing import Any

import django

django.setup()  # the web server uses the site's messages for the requests it refuses itself

_RECEIPT = b'{"number": 1, "receipt": "0123456789abcdefghijklmn", "url": "http://localhost/api/v1/submissions/"}' * 3


def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
    """Return a response about as long as a receipt."""
    environ["wsgi.input"].read()
    start("202 Accepted", [("Content-Type", "application/json"), ("Content-Length", str(len(_RECEIPT)))])
    return [_RECEIPT]
