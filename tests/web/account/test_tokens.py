"""The page with a player's tokens."""

import re

import pytest
from django.test import Client

from contest.infra import clock
from contest.models import Player, Token
from contest.players import api_tokens

PAGE = "/en/me/tokens/"
BOTH = {"scopes": ["submit", "read"], "days": "365"}


@pytest.fixture
def ann(running, send):
    send("RR")
    return Player.objects.get()


def text_in(answer):
    found = re.search(r"leitai_[a-z0-9]{12}_[\w-]{43}", answer.content.decode())
    return found and found[0]


def test_a_player_makes_a_token_which_is_shown_once_and_ends_it(client, ann):
    """Rule 4.11."""
    answer = client.post(PAGE, {**BOTH, "player": ann.pk, "name": "at home"})
    token = api_tokens.of_text(text_in(answer), clock.now())
    assert (token.player, token.name, token.scopes) == (ann, "at home", ["submit", "read"])
    again = client.get(PAGE)
    assert str(token) in again.content.decode()
    assert text_in(again) is None
    client.post(f"{PAGE}{token.public_id}/end/")
    with pytest.raises(api_tokens.BadToken, match="revoked"):
        api_tokens.of_text(text_in(answer), clock.now())
    assert "Revoke" not in client.get(PAGE).content.decode()


def test_anybody_makes_a_program_which_their_browser_owns(client, db):
    """Rule 16.2."""
    answer = client.post(PAGE, {**BOTH, "nickname": "Robo"})
    assert api_tokens.of_text(text_in(answer), clock.now()).player.league == "bot"
    assert "Robo" in client.get("/en/me/").content.decode()
    assert "Robo" in client.get(PAGE).content.decode()


def test_a_nickname_that_cannot_be_a_new_program_is_refused_in_words(client, ann):
    for nickname in ("", "Ann", "A" * 40, "a\u202eb"):
        answer = client.post(PAGE, {**BOTH, "nickname": nickname})
        assert answer.status_code == 422
        assert 'class="error"' in answer.content.decode()
    assert not Token.objects.exists()


def test_a_stranger_makes_no_token_of_a_player_and_ends_none(client, ann):
    """Rule 4.11."""
    client.post(PAGE, {**BOTH, "player": ann.pk})
    stranger = Client()
    assert stranger.post(PAGE, {**BOTH, "player": ann.pk}).status_code == 422
    public_id = Token.objects.get().public_id
    assert stranger.post(f"{PAGE}{public_id}/end/").status_code == 404
    assert public_id not in stranger.get(PAGE).content.decode()
    assert Token.objects.get().revoked_at is None
