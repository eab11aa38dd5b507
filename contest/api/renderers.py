"""JSON in UTF-8 is the only form an answer has."""

from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request


class JSON(JSONRenderer):
    """Compact JSON; letters of every script as they are."""

    ensure_ascii = False


class OnlyJSON(DefaultContentNegotiation):
    """Answer in JSON whatever Accept says: an answer helps a bot more than 406 does."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002
        return renderers[0], renderers[0].media_type
