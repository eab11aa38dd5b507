"""A player's webhooks and the deliveries to them: the webhooks of the OpenAPI document (docs/reference/api.md)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework.serializers import CharField, ChoiceField, IntegerField, ListField

from contest.api.serializers.base import AnswerSerializer, MappingSerializer
from contest.api.serializers.bodies import BodySerializer
from contest.api.serializers.fields import INSTANT, METRICS, CountField, InstantField, StrictListField, StrictTextField
from contest.outreach.webhooks import TEST, Kind


@extend_schema_field({"type": "string", "pattern": "^https?://[^\\u0000-\\u0020]+$", "maxLength": 500})
class _ReceiverField(StrictTextField):
    """A URL, which the called function validates."""


@extend_schema_field({"type": "array", "items": {"type": "string", "enum": Kind.values}, "minItems": 1})
class _EventsField(StrictListField):
    """A list; the called function refuses an empty one."""


class WantedSerializer(BodySerializer):
    """A webhook to create."""

    url = _ReceiverField(help_text="An https address in the open net, 500 characters at most.")
    events = _EventsField(help_text="What it is told.")


class WebhookSerializer(AnswerSerializer):
    """A URL that receives events."""

    id = IntegerField(source="pk")
    url = CharField()
    events = ListField(child=ChoiceField(Kind.values))
    created_at = InstantField()
    ended_at = InstantField(
        source="disabled_at", allow_null=True, help_text="When the site ended it, because nothing was taken for days."
    )


@extend_schema_serializer(many=False)
class WebhookListSerializer(MappingSerializer):
    """A player's webhooks, the oldest first."""

    results = WebhookSerializer(many=True)


class NewWebhookSerializer(WebhookSerializer):
    """A new webhook."""

    secret = CharField(help_text="What deliveries are signed with; shown only this once.")


class DeliverySerializer(AnswerSerializer):
    """A delivery to a webhook."""

    id = IntegerField(source="pk", help_text="As in the header Leitai-Delivery.")
    event = ChoiceField([*Kind.values, TEST])
    created_at = InstantField()
    attempts = CountField()
    delivered_at = InstantField(allow_null=True)
    next_try_at = InstantField(allow_null=True, help_text="Null where it was taken or given up.")
    answer = CharField(source="last_answer", help_text="What the receiver answered last, in words.")


class WholeWebhookSerializer(WebhookSerializer):
    """A webhook with its newest deliveries."""

    deliveries = DeliverySerializer(many=True, help_text="The newest fifty, newest first.")


_SIGNED = ("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature")
_OURS = ("Leitai-Event", "Leitai-Delivery", "Leitai-Signature")
_ADDRESS = {"type": "string", "format": "uri"}
_DATA: dict[str, Any] = {
    "type": "object",
    "required": ["at", "url"],
    "properties": {
        "number": {"type": "integer", "description": "Of the event."},
        "at": INSTANT,
        "round": {"type": "integer"},
        "slot": {"type": "string"},
        "submission": {"type": "integer", "description": "Its number."},
        "by": {"type": "string", "enum": METRICS},
        "revision": {"type": "integer"},
        "url": {**_ADDRESS, "description": "The page about it, in the language in which the webhook was created."},
        "event": {**_ADDRESS, "description": "Where the event is read."},
    },
}


def webhooks() -> dict[str, Any]:
    """Describe the webhook of each kind of event that can be chosen, and of the test."""
    return {
        kind: {"post": _post(kind, str(description))}
        for kind, description in [*Kind.choices, (TEST, "a test by its owner")]
    }


def _post(kind: str, description: str) -> dict[str, Any]:
    delivery = {
        "type": "object",
        "required": ["type", "timestamp", "data"],
        "properties": {"type": {"type": "string", "enum": [kind]}, "timestamp": INSTANT, "data": _DATA},
    }
    return {
        "operationId": f"told{kind.capitalize()}",
        "summary": f"{description[0].upper()}{description[1:]}.",
        "parameters": [
            {"in": "header", "name": name, "required": True, "schema": {"type": "string"}} for name in _SIGNED + _OURS
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": delivery}}},
        "responses": {"2XX": {"description": "Taken; whatever else is tried again."}},
    }
