"""Log lines that can be followed: which request and which submission each is about, and nothing private in any."""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")
submission: ContextVar[int | None] = ContextVar("submission", default=None)

# Among a request's META when it came, where something was done about it before the site was asked.
STARTED = "leitai.started"

_requests = logging.getLogger("contest.requests")
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
_FIELDS = ("request", "submission", "method", "route", "status", "milliseconds")
# The longest name of a host, and what is said of it.
_MOST_OF_A_SUSPICION = 300
# A receipt's address is its sender's secret (rule 7.5), and so are links that claim a name, that stand in letters or
# that show what somebody asked the solver; PostgreSQL's details quote whole rows.
_PRIVATE = [
    (re.compile(r"(/claim/|/mail/(?:confirm/)?|/solver/)[^\s/?\"']{8,}"), r"\1…"),
    (re.compile(r"(/s/|/submissions/|/admin/r/)[\w-]{8,}"), r"\1…"),
    (re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"), "…@…"),
    (re.compile(r"leitai_\w+_[\w-]+"), "leitai_…"),
    (re.compile(r"^DETAIL:.*$", re.MULTILINE), "DETAIL: …"),
]


def name_request(sent: str) -> str:
    """Give what is logged from now on the id of a request, *sent* by a proxy if that is a sane one; return it."""
    name = sent if _SANE_ID.fullmatch(sent) else secrets.token_hex(8)
    request_id.set(name)
    submission.set(None)
    return name


def say_answered(method: str | None, match: Any, status: int, seconds: float) -> None:
    """By the pattern of the address that is the *match*: an address itself may be a secret (rule 7.5)."""
    about = {"method": method, "route": match.route if match else "-", "status": int(status)}
    _requests.info("Answered", extra={**about, "milliseconds": round(seconds * 1000, 1)})


class Context(logging.Filter):
    """Say in every record what it is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request = request_id.get() or None  # instead of what Django puts here, which no line can show
        if not hasattr(record, "submission"):
            record.submission = submission.get()
        return True


class Suspicion(logging.Filter):
    """Say in one short line what Django calls suspicious, such as a wrong Host: anybody may send a flood of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.msg, record.args = record.getMessage()[:_MOST_OF_A_SUSPICION], ()
            record.exc_info = record.exc_text = None
        return True


class Line(logging.Formatter):
    """For people: one line, with the request and the submission at its end."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}{about}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        about = [f"{name} {value}" for name in _FIELDS if (value := getattr(record, name, None)) is not None]
        record.about = f" [{', '.join(about)}]" if about else ""
        return without_private(super().format(record))


class JSON(logging.Formatter):
    """For programs: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": without_private(record.getMessage()),
        }
        about = {name: value for name in _FIELDS if (value := getattr(record, name, None)) is not None}
        if record.exc_info:
            about["exception"] = without_private(self.formatException(record.exc_info))
        return json.dumps(said | about, ensure_ascii=False, default=str)


def without_private(text: str) -> str:
    """Return *text* without addresses of receipts, email addresses, tokens and quoted rows.

    >>> without_private("Internal Server Error: /en/s/Rq3vK0hZ8tYw/ of ann@example.org")
    'Internal Server Error: /en/s/…/ of …@…'
    """
    for pattern, instead in _PRIVATE:
        text = pattern.sub(instead, text)
    return text
