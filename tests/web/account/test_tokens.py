"""The page with a player's tokens."""

import re

import pytest
from django.test import Client

from contest.infra import clock
from contest.models import Player, Token
from contest.players import api_tokens

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
