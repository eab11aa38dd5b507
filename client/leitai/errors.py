"""Exceptions, and how to react to them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leitai.talking import Call


class LeitaiError(Exception):
    """Base class of the exceptions that this library raises."""


class NotReceived(LeitaiError):
    """The site did not respond, or had an error of its own, in all attempts. It is unknown whether anything was stored.

    `client.send(error.call)` repeats the request with the same idempotency keys: if it was stored, the site returns
    its first receipt. *idempotency_key* is the key of a single submission, for `submit`; empty for other requests.
    """

    def __init__(self, message: str, call: "Call[Any]") -> None:
        self.call = call
        self.idempotency_key: str = call.headers.get("Idempotency-Key", "")
        super().__init__(message)


class Refused(LeitaiError):
    """The site refused the request: *code* is for programs, the message for people, *errors* lists the fields."""

    def __init__(self, problem: dict[str, Any], status: int) -> None:
        self.status = status
        self.code: str = problem.get("code", "")
        self.errors: list[dict[str, Any]] = problem.get("errors") or []
        self.retry_after: int | None = problem.get("retry_after")
        super().__init__(problem.get("detail") or f"HTTP {status}")
