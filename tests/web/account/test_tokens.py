import re
from datetime import timedelta

import pytest
from django.test import Client

from contest.infra import clock
from contest.models import Delivery, Player, Token, Webhook
from contest.outreach import webhooks
from contest.players import api_tokens
from tests import cast

pytestmark = pytest.mark.django_db

PAGE = "/en/me/tokens/"
FIELDS = {"scopes": ["submit", "read"], "days": "365"}


@pytest.fixture
def ann(running, send):
    send("RR")
    return Player.objects.get()


def token_in(answer):
    found = re.search(r"leitai_[a-z0-9]{12}_[\w-]{43}", answer.content.decode())
    return found and found[0]


def test_a_player_creates_a_token_that_is_shown_once_and_revokes_it(client, ann):
    """Rule 4.11."""
    answer = client.post(PAGE, {**FIELDS, "player": ann.pk, "name": "at home"})
    token = api_tokens.of_text(token_in(answer), clock.now())
    assert (token.player, token.name, token.scopes) == (ann, "at home", ["submit", "read"])
    again = client.get(PAGE)
    assert str(token) in again.content.decode()
    assert token_in(again) is None
    client.post(f"{PAGE}{token.public_id}/end/")
    with pytest.raises(api_tokens.BadToken, match="revoked"):
        api_tokens.of_text(token_in(answer), clock.now())
    assert "Revoke" not in client.get(PAGE).content.decode()


def test_an_anonymous_viewer_creates_a_program_owned_by_their_browser(client, db):
    """Rule 16.2."""
    answer = client.post(PAGE, {**FIELDS, "nickname": "Robo"})
    assert api_tokens.of_text(token_in(answer), clock.now()).player.league == "bot"
    assert "Robo" in client.get("/en/me/").content.decode()
    assert "Robo" in client.get(PAGE).content.decode()


def test_other_viewers_cannot_create_or_revoke_a_players_tokens(client, ann):
    """Rule 4.11."""
    client.post(PAGE, {**FIELDS, "player": ann.pk})
    stranger = Client()
    assert stranger.post(PAGE, {**FIELDS, "player": ann.pk}).status_code == 422
    public_id = Token.objects.get().public_id
    assert stranger.post(f"{PAGE}{public_id}/end/").status_code == 404
    assert public_id not in stranger.get(PAGE).content.decode()
    assert Token.objects.get().revoked_at is None


def player_of(client, nickname):
    player = cast.send(nickname, "rR").submission.player
    client.cookies.update(cast.browser_of(nickname).cookies)
    return player


def _create_webhook(client, player, **fields):
    given = {"player": player.pk, "url": "https://hook.example/", "events": ["final"], **fields}
    return client.post("/en/me/webhooks/", given)


def test_a_webhooks_secret_is_shown_once(client, during_round):
    player = player_of(client, "Ada")
    refused = _create_webhook(client, player, url="http://hook.example/")
    assert (refused.status_code, "Enter an https URL." in refused.content.decode()) == (422, True)
    assert _create_webhook(client, player).status_code == 302
    secret = Webhook.objects.get().secret
    assert secret in client.get("/en/me/webhooks/").content.decode()
    assert secret not in client.get("/en/me/webhooks/").content.decode()


def test_other_viewers_cannot_use_a_players_webhooks(client, during_round):
    """Rule 7.5."""
    owner = player_of(client, "Ada")
    hook = webhooks.create_webhook(owner, "https://hook.example/", ["opened"], cast.OPENS - timedelta(days=1))
    webhooks.collect(cast.OPENS)
    client.cookies.clear()
    rival = player_of(client, "Bo")
    for act in ("end", "test"):
        assert client.post(f"/en/me/webhooks/{hook.pk}/{act}/").status_code == 404
    assert client.post(f"/en/me/webhooks/deliveries/{Delivery.objects.get().pk}/again/").status_code == 404
    assert _create_webhook(client, owner).status_code == 422
    assert "hook.example" not in client.get("/en/me/webhooks/").content.decode()
    assert rival.webhooks.count() == 0


def test_deliveries_are_listed_and_can_be_sent_again(client, during_round):
    player = player_of(client, "Ada")
    hook = webhooks.create_webhook(player, "https://hook.example/", ["opened"], cast.OPENS - timedelta(days=1))
    webhooks.collect(cast.OPENS)
    Delivery.objects.update(delivered_at=cast.DURING, next_try_at=None, last_answer="HTTP 200")
    assert "HTTP 200" in client.get("/en/me/webhooks/").content.decode()
    client.post(f"/en/me/webhooks/deliveries/{Delivery.objects.get().pk}/again/")
    assert Delivery.objects.get().delivered_at is None
    client.post(f"/en/me/webhooks/{hook.pk}/end/")
    assert not Webhook.objects.exists()
