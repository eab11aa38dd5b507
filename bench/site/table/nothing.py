"""An application that takes what is sent and does nothing with it: what the web server alone costs."""

from collections.abc import Callable, Iterable
from typing import Any

import django

django.setup()  # the web server has words of the site, for what it refuses itself

_RECEIPT = b'{"number": 1, "receipt": "0123456789abcdefghijklmn", "url": "http://localhost/api/v1/submissions/"}' * 3


def application(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
    """An answer about as long as a receipt is."""
    environ["wsgi.input"].read()
    start("202 Accepted", [("Content-Type", "application/json"), ("Content-Length", str(len(_RECEIPT)))])
    return [_RECEIPT]
