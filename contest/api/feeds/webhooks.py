"""A player's own webhooks, for programs: list, make, test and end them, as on the page."""

from typing import Any

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api.authentication import needed_token
from contest.api.base import View
from contest.api.permissions import HasToken
from contest.api.schema import NOTHING, reads, takes
from contest.api.serializers.base import Wrapper
from contest.api.serializers.bodies import NothingSerializer, read
from contest.api.serializers.problems import Invalid
from contest.api.serializers.webhooks import (
    DeliverySerializer,
    NewWebhookSerializer,
    WantedSerializer,
    WebhookListSerializer,
    WholeWebhookSerializer,
)
from contest.api.throttling import TokenThrottle
from contest.infra.site_address import absolute
from contest.models import Scope, Webhook
from contest.outreach import webhooks
from contest.submissions import Refused

_REFUSALS = [400, 401, 413, 415, 429]
# What is wrong with a webhook, by the code of the refusal: the status, and the member it is about.
_FAULTS = {"invalid": (422, "url"), "no_events": (422, "events"), "too_many": (409, "")}


class WebhookView(View):
    permission_classes = [HasToken]
    throttle_classes = [TokenThrottle]
    scopes = {"GET": Scope.WEBHOOKS, "POST": Scope.WEBHOOKS}

    def list_own(self) -> Any:
        return WebhookListSerializer({"results": visibility.own_webhooks(self.viewer)}).data

    def get_own(self, hook: int) -> Webhook:
        """The webhook of the token's player, or 404: nobody is told of those of others (rule 7.5)."""
        found: Webhook = get_object_or_404(visibility.own_webhooks(self.viewer), pk=hook)
        return found


class Webhooks(WebhookView):
    @reads(WebhookListSerializer, "The webhooks of the token's player.")
    def get(self, _request: Request) -> Response:
        return Response(self.list_own())

    @takes(
        WantedSerializer,
        {201: NewWebhookSerializer},
        "Let the site tell an address of events.",
        [*_REFUSALS, 409, 422],
        name="makeWebhook",
    )
    def post(self, request: Request) -> Response:
        token = needed_token(request)
        given = read(WantedSerializer, request.data)
        if set(given["events"]) - set(webhooks.Kind.values):
            words = _("This must be one of: %(choices)s.") % {"choices": ", ".join(webhooks.Kind.values)}
            raise Invalid("events", "unknown_choice", words)
        try:
            hook = webhooks.make(token.player, given["url"].strip(), given["events"], self.at)
        except ValidationError as error:
            status, field = _FAULTS[error.code or "invalid"]
            raise Refused(f"webhook_{error.code}", error.messages[0], status=status, field=field) from None
        address = absolute(request, reverse("api-webhook", args=[hook.pk]))
        return Response(NewWebhookSerializer(hook).data, status=201, headers={"Location": address})


class OneWebhook(WebhookView):
    @reads(WholeWebhookSerializer, "A webhook of the token's player, with what was sent.")
    def get(self, _request: Request, hook: int) -> Response:
        own = self.get_own(hook)
        shown = Wrapper(own, deliveries=own.deliveries.all()[: webhooks.SHOWN])
        return Response(WholeWebhookSerializer(shown).data)


class Test(WebhookView):
    @takes(
        NOTHING,
        {202: DeliverySerializer},
        "Send a test to the address; its answer is told with the webhook.",
        [*_REFUSALS, 404],
        name="testWebhook",
    )
    def post(self, request: Request, hook: int) -> Response:
        own = self.get_own(hook)
        read(NothingSerializer, request.data)
        delivery = webhooks.send_test(own, self.at)
        if delivery is None:
            words = _("Five tests a minute are the most. Try again in a minute.")
            raise Refused("quota", words, status=429, retry_after=int(webhooks.TESTS_IN.total_seconds()))
        return Response(DeliverySerializer(delivery).data, status=202)


class End(WebhookView):
    @takes(
        NOTHING,
        {200: WebhookListSerializer},
        "End a webhook, and forget what was sent; the answer is what is left.",
        [*_REFUSALS, 404],
        name="endWebhook",
    )
    def post(self, request: Request, hook: int) -> Response:
        own = self.get_own(hook)
        read(NothingSerializer, request.data)
        own.delete()
        return Response(self.list_own())
