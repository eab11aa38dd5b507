"""Renderer of responses, and its selection."""

from typing import Any

from rest_framework import renderers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request


class JSONRenderer(renderers.JSONRenderer):
    """Compact JSON that does not escape non-ASCII letters."""

    ensure_ascii = False


class AlwaysJSON(DefaultContentNegotiation):
    """Respond in JSON whatever Accept says: a body helps a bot more than status 406 does."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002 - DRF's signature
        return renderers[0], renderers[0].media_type
