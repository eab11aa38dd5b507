"""The API for a player's own webhooks: list, create, test and end them, as on the page."""

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from contest import visibility
from contest.api.authentication import required_token
from contest.api.base import ViewSet
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
from contest.infra import client_ip
from contest.infra.site_address import absolute_url
from contest.models import Scope, Webhook
from contest.outreach import webhooks
from contest.submissions import Refused, limits

_REFUSALS = [400, 401, 413, 415, 429]
# For each refusal code of a webhook: the status, and the member it is about.
_FAULTS = {"invalid": (422, "url"), "no_events": (422, "events"), "too_many": (409, "")}


class Webhooks(ViewSet):
    permission_classes = [HasToken]
    scopes = {"GET": Scope.WEBHOOKS, "POST": Scope.WEBHOOKS}
    lookup_url_kwarg, lookup_value_converter = "hook", "int"
    pagination_class = None

    def get_queryset(self) -> QuerySet[Webhook]:
        """Return the webhooks of the token's player, and of nobody else (rule 7.5)."""
        return visibility.own_webhooks(self.viewer)

    @reads(WebhookListSerializer, "The webhooks of the token's player.")
    def list(self, _request: Request) -> Response:
        return Response(WebhookListSerializer({"results": self.get_queryset()}).data)

    @takes(
        WantedSerializer,
        {201: NewWebhookSerializer},
        "Let the site tell an address of events.",
        [*_REFUSALS, 409, 422],
        name="makeWebhook",
    )
    def create(self, request: Request) -> Response:
        token = required_token(request)
        wanted = read(WantedSerializer, request.data)
        if set(wanted["events"]) - set(webhooks.Kind.values):
            message = _("This must be one of: %(choices)s.") % {"choices": ", ".join(webhooks.Kind.values)}
            raise Invalid("events", "unknown_choice", message)
        limits.pass_stored(client_ip.sender_of(request), size=webhooks.STORED_BYTES)
        try:
            hook = webhooks.create_webhook(token.player, wanted["url"].strip(), wanted["events"], self.at)
        except ValidationError as error:
            code = error.code or "invalid"
            status, field = _FAULTS[code]
            raise Refused(f"webhook_{code}", error.messages[0], status=status, field=field) from None
        address = absolute_url(request, reverse("api-webhook-detail", args=[hook.pk]))
        return Response(NewWebhookSerializer(hook).data, status=201, headers={"Location": address})

    @reads(WholeWebhookSerializer, "A webhook of the token's player, with what was sent.")
    def retrieve(self, _request: Request, hook: int) -> Response:  # noqa: ARG002 - get_object reads it
        own = self.get_object()
        shown = Wrapper(own, deliveries=own.deliveries.all()[: webhooks.SHOWN])
        return Response(WholeWebhookSerializer(shown).data)

    @takes(
        NOTHING,
        {202: DeliverySerializer},
        "Send a test to the address; its answer is told with the webhook.",
        [*_REFUSALS, 404],
        name="testWebhook",
    )
    @action(detail=True, methods=["post"])
    def test(self, request: Request, hook: int) -> Response:  # noqa: ARG002 - get_object reads it
        own = self.get_object()
        read(NothingSerializer, request.data)
        delivery = webhooks.send_test(own, self.at)
        if delivery is None:
            message = _("At most five tests per minute. Try again in a minute.")
            raise Refused("quota", message, status=429, retry_after=int(webhooks.TESTS_IN.total_seconds()))
        return Response(DeliverySerializer(delivery).data, status=202)

    @takes(
        NOTHING,
        {200: WebhookListSerializer},
        "End a webhook, and forget what was sent; the answer is what is left.",
        [*_REFUSALS, 404],
        name="endWebhook",
    )
    @action(detail=True, methods=["post"])
    def end(self, request: Request, hook: int) -> Response:  # noqa: ARG002 - get_object reads it
        own = self.get_object()
        read(NothingSerializer, request.data)
        own.delete()
        return self.list(request)
