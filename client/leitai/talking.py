"""The logic of retries and waiting, without I/O, which `Client` and `AsyncClient` share.

It is written as generators. A generator yields a Call and receives the response or the error, or it yields a Sleep.
"""

import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import httpx

from leitai.errors import LeitaiError, NotReceived, Refused
from leitai.shapes import Submission

T = TypeVar("T")
LONGEST_PAUSE = 60.0
WAIT_SECONDS = 5  # the longest wait for a verdict or an event that a site allows
_FIRST_PAUSE = 0.5
_SERVER_SIDE = (500, 502, 503, 504)
_WHERE_TO_LOOK = "`leitai rounds` lists the rounds with their levels, as do client.rounds() and the tool list_rounds."


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request to the API: *path* below /api/v1/, or a full URL on the same site; *read* parses the response."""

    path: str
    read: Callable[[httpx.Response], T]
    method: str = "GET"
    query: Mapping[str, Any] | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


def level_path(number: int, slot: str) -> str:
    """Return where the calls of a level are. Raise Refused for a slot that would lead elsewhere, such as `..`."""
    if not slot.isalnum():
        raise Refused({"code": "not_found", "detail": f"Level {number}/{slot} does not exist."}, 404)
    return f"rounds/{number}/{slot}/"


def name_missing(call: Call[T], name: str) -> Call[T]:
    """Return *call* such that the site's 404 becomes a message with the *name* of the missing object."""

    def read(answer: httpx.Response) -> T:
        try:
            return call.read(answer)
        except Refused as refusal:
            if refusal.code != "not_found":
                raise
            detail = f"{name} does not exist or is not public yet. {_WHERE_TO_LOOK}"
            raise Refused({"code": refusal.code, "detail": detail}, refusal.status) from None

    return replace(call, read=read)


@dataclass(frozen=True)
class Sleep:
    seconds: float


Answer = httpx.Response | httpx.TransportError | None
Talk = Generator[Call[Any] | Sleep, Answer, T]


def carry_out(call: Call[T], tries: int, site: str = "") -> Talk[T]:
    """Send *call* to *site* up to *tries* times. Raise NotReceived, or Refused if the site refuses it.

    After a 429 it waits (its Retry-After, at most a minute); this counts as an attempt.
    """
    pause, last = _FIRST_PAUSE, ""
    for attempt in range(tries):
        if attempt:
            yield Sleep(min(pause, LONGEST_PAUSE))
            pause *= 2
        answer = yield call
        if not isinstance(answer, httpx.Response):
            last = str(answer) or type(answer).__name__
        elif answer.status_code == httpx.codes.TOO_MANY_REQUESTS and attempt + 1 < tries:
            pause = float(answer.headers.get("Retry-After", pause))
        elif answer.status_code in _SERVER_SIDE:
            last = f"HTTP {answer.status_code}"
        else:
            return call.read(answer)
    times = f"{tries} time{'' if tries == 1 else 's'}"
    address = call.path if "://" in call.path else site + call.path
    raise NotReceived(f"{call.method} {address}: {last or 'no answer'}, tried {times}", call)


def await_verdict(ask: Call[Submission], patience: float, tries: int, site: str = "") -> Talk[Submission]:
    """Poll until the submission is judged or *patience* seconds are over."""
    ends_at = time.monotonic() + patience
    while True:
        asked_at = time.monotonic()
        submission = yield from carry_out(ask, tries, site)
        if submission.is_judged or time.monotonic() >= ends_at:
            return submission
        # A busy site responds at once instead of waiting.
        yield Sleep(max(0.0, 1.0 - (time.monotonic() - asked_at)))


def new_key() -> str:
    return uuid.uuid4().hex


def address_of(call: Call[Any], base: str) -> str:
    """Return the full URL of *call*. Raise Refused if it is on another site, which must not receive the token."""
    address = call.path if "://" in call.path else base + call.path
    if not address.startswith(base):
        raise Refused({"detail": f"The site sends us to another site: {address}"}, 0)
    return address


def check_address(url: str) -> None:
    """Raise LeitaiError, which does not quote it, for a *url* of no site."""
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError):
        address = httpx.URL()
    if address.scheme not in ("http", "https") or not address.host:
        raise LeitaiError("The site's address must be one such as https://contest.example.")


def check_key(key: str) -> None:
    """Raise LeitaiError for an idempotency key that no header can carry."""
    if not (key.isascii() and key.isprintable()):
        raise LeitaiError("The key has a character that no key has: copy it again.")


def headers_for(token: str, language: str, version: str) -> dict[str, str]:
    """Return the headers of all requests. Raise LeitaiError, which does not quote it, for an impossible token."""
    token = token.strip()
    if not (token.isascii() and token.isprintable()):
        raise LeitaiError("The token has a character that no token has: copy it again.")
    headers = {"Accept-Language": language, "User-Agent": f"leitai-python/{version}"}
    return {**headers, "Authorization": f"Bearer {token}"} if token else headers
