"""A player's webhooks, and what the site sends to them: the webhooks of the OpenAPI file (docs/api.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contest.api.objects import kinds
from contest.api.objects.kinds import ADDRESS, COUNT, INTEGER, TEXT, TIME, Member, Schema, Shape, inside, many, maybe
from contest.models import Delivery, Webhook
from contest.outreach.webhooks import TEST, Kind

KIND = kinds.one_of(*Kind.values)
ADDRESS_TO_TELL = kinds.Kind({"type": "string", "pattern": "^https?://[^\\u0000-\\u0020]+$", "maxLength": 500})
WANTED = Shape[Any]("Wanted", "A webhook to be made.", [
    Member("url", ADDRESS_TO_TELL, words="An https address in the open net, 500 characters at most."),
    Member("events", many(KIND, minItems=1), words="What it is told."),
])  # fmt: skip
_HOOK: list[Member[Webhook]] = [
    Member("id", INTEGER, lambda hook: hook.pk),
    Member("url", TEXT),
    Member("events", many(KIND)),
    Member("created_at", TIME),
    Member("ended_at", maybe(TIME), lambda hook: hook.disabled_at,
           "When the site ended it, because nothing was taken for days."),
]  # fmt: skip
WEBHOOK = Shape[Webhook]("Webhook", "An address that is told of events.", _HOOK)
WEBHOOK_LIST = Shape[Any]("WebhookList", "A player's webhooks, the oldest first.", [
    Member("results", many(WEBHOOK), lambda hooks: hooks),
])  # fmt: skip
NEW_WEBHOOK = Shape[Webhook]("NewWebhook", "A webhook that was made.", [
    *_HOOK,
    Member("secret", TEXT, words="What deliveries are signed with; shown only this once."),
])  # fmt: skip
DELIVERY = Shape[Delivery]("Delivery", "A delivery to a webhook.", [
    Member("id", INTEGER, lambda row: row.pk, "As in the header Leitai-Delivery."),
    Member("event", kinds.one_of(*Kind.values, TEST)),
    Member("created_at", TIME),
    Member("attempts", COUNT),
    Member("delivered_at", maybe(TIME)),
    Member("next_try_at", maybe(TIME), words="Null where it was taken or given up."),
    Member("answer", TEXT, lambda row: row.last_answer, "What the receiver answered last, in words."),
])  # fmt: skip


@dataclass(frozen=True)
class WithDeliveries:
    """A webhook and its newest deliveries."""

    hook: Webhook
    deliveries: Sequence[Delivery]


WHOLE_WEBHOOK = Shape[WithDeliveries]("WholeWebhook", "A webhook with its newest deliveries.", [
    *inside("hook", _HOOK),
    Member("deliveries", many(DELIVERY), words="The newest fifty, newest first."),
])  # fmt: skip
OF_WEBHOOKS = (WANTED, WEBHOOK, WEBHOOK_LIST, NEW_WEBHOOK, DELIVERY, WHOLE_WEBHOOK)

_SIGNED = ("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature")
_OURS = ("Leitai-Event", "Leitai-Delivery", "Leitai-Signature")
_ADDRESS = ADDRESS.schema
_TIME = TIME.schema
_DATA: Schema = {
    "type": "object",
    "required": ["at", "url"],
    "properties": {
        "number": {"type": "integer", "description": "Of the event."},
        "at": _TIME,
        "round": {"type": "integer"},
        "slot": {"type": "string"},
        "submission": {"type": "integer", "description": "Its number."},
        "by": kinds.METRIC.schema,
        "revision": {"type": "integer"},
        "url": {**_ADDRESS, "description": "The page about it."},
        "event": {**_ADDRESS, "description": "Where the event is read."},
    },
}


def webhooks() -> Schema:
    """One for each kind of event that can be chosen, and the test."""
    return {kind: {"post": _post(kind, str(words))} for kind, words in [*Kind.choices, (TEST, "a test by its owner")]}


def _post(kind: str, words: str) -> Schema:
    delivery = {
        "type": "object",
        "required": ["type", "timestamp", "data"],
        "properties": {"type": kinds.one_of(kind).schema, "timestamp": _TIME, "data": _DATA},
    }
    return {
        "operationId": f"told{kind.capitalize()}",
        "summary": f"{words[0].upper()}{words[1:]}.",
        "parameters": [
            {"in": "header", "name": name, "required": True, "schema": {"type": "string"}} for name in _SIGNED + _OURS
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": delivery}}},
        "responses": {"2XX": {"description": "Taken; whatever else is tried again."}},
    }
