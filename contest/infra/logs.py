"""Log records that name their request and submission and contain nothing private."""

import json
import logging
import re
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")
trace_id: ContextVar[str | None] = ContextVar("trace_id", default=None)
submission: ContextVar[int | None] = ContextVar("submission", default=None)

# Key in request.META of the start time, for requests that were handled before Django.
STARTED = "leitai.started"

_requests = logging.getLogger("contest.requests")
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
# The header traceparent (W3C Trace Context): version, trace id, parent id, flags. No version is ff, no id zero.
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}", re.ASCII)
_FIELDS = ("request", "trace", "submission", "method", "route", "status", "milliseconds")
# Limit for messages about suspicious requests: the longest host name plus the message text.
_MOST_OF_A_SUSPICION = 300
# Receipt URLs are secrets of their senders (rule 7.5), and so are the links that claim a name, confirm an email, invite
# an organiser, carry moves, show a solver answer or a private calendar; PostgreSQL's DETAIL lines quote whole rows.
_PRIVATE = [
    (re.compile(r"(/(?:claim|mail(?:/confirm)?|solver|invitation|calendar|collected|ran)/)[^\s/?\"'<]{8,}"), r"\1…"),
    (re.compile(r"(/rebuild/|/lurd2xsb/)[^\s/?\"'<]+"), r"\1…"),
    (re.compile(r"(/s/|/submissions/|/admin/r/)[\w-]{8,}"), r"\1…"),
    # It begins where a word does: tried from each letter, a long path without "@" would take quadratic time.
    (re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(\.[\w-]+)+"), "…@…"),
    (re.compile(r"leitai_\w+_[\w-]+"), "leitai_…"),
    (re.compile(r"desk_[a-z0-9]{12}_[\w-]+"), "desk_…"),
    (re.compile(r"whsec_[\w+/=-]+"), "whsec_…"),
    # A quoted row has the line breaks of its texts and boards. A traceback may follow it.
    (re.compile(r"^DETAIL:.*?(?=\n(?:Traceback|The above exc|During han)|\Z)", re.MULTILINE | re.DOTALL), "DETAIL: …"),
]
# Each pattern needs one of these; most lines have none, and looking for them is faster than all replacements.
_MARKS = ("/", "@", "leitai_", "desk_", "whsec_", "DETAIL:")


def name_request(environ: Mapping[str, Any]) -> str:
    """Set the request id of all following log records and return it: a proxy's X-Request-ID if valid, else a new one.

    The trace id of a valid header `traceparent` is logged too; none is created.
    """
    sent, trace = environ.get("HTTP_X_REQUEST_ID", ""), _TRACEPARENT.fullmatch(environ.get("HTTP_TRACEPARENT", ""))
    name = sent if _SANE_ID.fullmatch(sent) else secrets.token_hex(8)
    request_id.set(name)
    trace_id.set(trace[1] if trace else None)
    submission.set(None)
    return name


def say_answered(method: str | None, match: Any, status: int, seconds: float) -> None:
    """Log a response by the URL pattern in *match*: the URL itself may be a secret (rule 7.5)."""
    about = {"method": method, "route": match.route if match else "-", "status": int(status)}
    _requests.info("Answered", extra={**about, "milliseconds": round(seconds * 1000, 1)})


class Context(logging.Filter):
    """Add the request, its trace and the submission to every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request = request_id.get() or None  # replaces the value Django puts here, which cannot be logged
        record.trace = trace_id.get()
        if not hasattr(record, "submission"):
            record.submission = submission.get()
        return True


class Suspicion(logging.Filter):
    """Shorten Django's suspicious-request records (e.g. a wrong Host) to one line: anyone may send a flood of them."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.msg, record.args = record.getMessage()[:_MOST_OF_A_SUSPICION], ()
            record.exc_info = record.exc_text = None
        return True


class Line(logging.Formatter):
    """Format records for people: one line, with the request and the submission at its end.

    Times are in UTC and say so: the site's time zone is a setting, and a line is read on other machines too.
    """

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}{about}", style="{")

    def formatTime(self, record: logging.LogRecord, _datefmt: str | None = None) -> str:  # noqa: N802 - logging's name
        return datetime.fromtimestamp(record.created, UTC).isoformat(" ", "milliseconds")

    def format(self, record: logging.LogRecord) -> str:
        about = [f"{name} {value}" for name in _FIELDS if (value := getattr(record, name, None)) is not None]
        record.about = f" [{', '.join(about)}]" if about else ""
        return without_private(super().format(record))


class JSON(logging.Formatter):
    """Format records for programs: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        payload = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": without_private(record.getMessage()),
        }
        about = {name: value for name in _FIELDS if (value := getattr(record, name, None)) is not None}
        if record.exc_info:
            about["exception"] = without_private(self.formatException(record.exc_info))
        return json.dumps(payload | about, ensure_ascii=False, default=str)


def without_private(text: str) -> str:
    """Return *text* without receipt URLs, email addresses, tokens and quoted rows.

    >>> without_private("Internal Server Error: /en/s/Rq3vK0hZ8tYw/ of ann@example.org")
    'Internal Server Error: /en/s/…/ of …@…'
    """
    if not any(mark in text for mark in _MARKS):
        return text
    for pattern, instead in _PRIVATE:
        text = pattern.sub(instead, text)
    return text
