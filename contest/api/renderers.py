"""Renderer of answers, and its choice."""

from typing import Any

from rest_framework import renderers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request


class JSONRenderer(renderers.JSONRenderer):
    """Compact JSON; letters of every script as they are."""

    ensure_ascii = False


class AlwaysJSON(DefaultContentNegotiation):
    """Answer in JSON whatever Accept says: an answer helps a bot more than 406 does."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002 - DRF's signature
        return renderers[0], renderers[0].media_type
