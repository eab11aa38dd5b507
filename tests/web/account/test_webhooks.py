from datetime import timedelta

import pytest
from django.http import HttpResponse

from contest.models import Delivery, Webhook
from contest.outreach import webhooks
from contest.players import remember_claim
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db


def _claim_nickname(client, nickname):
    receipt = cast.send(nickname, "rR")
    response = HttpResponse()
    remember_claim(response, Viewer(), receipt.submission.player_id, receipt.claim)
    client.cookies.load({name: morsel.value for name, morsel in response.cookies.items()})
    return receipt.submission.player


def _create_webhook(client, player, **fields):
    given = {"player": player.pk, "url": "https://hook.example/", "events": ["final"], **fields}
    return client.post("/en/me/webhooks/", given)


def test_a_webhooks_secret_is_shown_once(client, during_round):
    player = _claim_nickname(client, "Ada")
    refused = _create_webhook(client, player, url="http://hook.example/")
    assert (refused.status_code, "Enter an https URL." in refused.content.decode()) == (422, True)
    assert _create_webhook(client, player).status_code == 302
    secret = Webhook.objects.get().secret
    assert secret in client.get("/en/me/webhooks/").content.decode()
    assert secret not in client.get("/en/me/webhooks/").content.decode()


def test_other_viewers_cannot_use_a_players_webhooks(client, during_round):
    """Rule 7.5."""
    owner = _claim_nickname(client, "Ada")
    hook = webhooks.create_webhook(owner, "https://hook.example/", ["opened"], cast.OPENS - timedelta(days=1))
    webhooks.collect(cast.OPENS)
    client.cookies.clear()
    rival = _claim_nickname(client, "Bo")
    for act in ("end", "test"):
        assert client.post(f"/en/me/webhooks/{hook.pk}/{act}/").status_code == 404
    assert client.post(f"/en/me/webhooks/deliveries/{Delivery.objects.get().pk}/again/").status_code == 404
    assert _create_webhook(client, owner).status_code == 422
    assert "hook.example" not in client.get("/en/me/webhooks/").content.decode()
    assert rival.webhooks.count() == 0


def test_deliveries_are_listed_and_can_be_sent_again(client, during_round):
    player = _claim_nickname(client, "Ada")
    hook = webhooks.create_webhook(player, "https://hook.example/", ["opened"], cast.OPENS - timedelta(days=1))
    webhooks.collect(cast.OPENS)
    Delivery.objects.update(delivered_at=cast.DURING, next_try_at=None, last_answer="HTTP 200")
    assert "HTTP 200" in client.get("/en/me/webhooks/").content.decode()
    client.post(f"/en/me/webhooks/deliveries/{Delivery.objects.get().pk}/again/")
    assert Delivery.objects.get().delivered_at is None
    client.post(f"/en/me/webhooks/{hook.pk}/end/")
    assert not Webhook.objects.exists()
