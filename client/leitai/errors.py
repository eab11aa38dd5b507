"""What can go wrong, and what to do about it."""

from typing import Any


class LeitaiError(Exception):
    """Anything this library raises."""


class NotReceived(LeitaiError):
    """The site did not answer, or had trouble of its own, as often as we tried. Nothing is known to be stored.

    Sending again with the same idempotency key is safe: what was stored after all answers with its first receipt.
    """


class Refused(LeitaiError):
    """The site refused the request: *code* for programs, the message for people, *errors* field by field."""

    def __init__(self, problem: dict[str, Any], status: int) -> None:
        self.status = status
        self.code: str = problem.get("code", "")
        self.errors: list[dict[str, Any]] = problem.get("errors") or []
        self.retry_after: int | None = problem.get("retry_after")
        super().__init__(problem.get("detail") or f"HTTP {status}")
