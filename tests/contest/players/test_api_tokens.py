from datetime import timedelta

import pytest
from django.core.management import call_command

from contest import players
from contest.infra import clock
from contest.models import AuditEntry, League, Player, Scope, Token
from contest.players import acts, api_tokens
from tests import cast


@pytest.fixture
def player(during_round):
    return cast.send("Ann", "rR").submission.player


def make(player, **options):
    return api_tokens.make(player, None, clock.now(), **options)


def test_only_the_hash_of_a_token_is_stored(player):
    token = make(player)
    secret = token.text.split("_", 2)[2]
    assert api_tokens.of_text(token.text, clock.now()).player == player
    row = Token.objects.values().get()
    assert len(secret) == 43
    assert secret not in str(row)
    assert secret not in repr(token)
    assert secret not in str(AuditEntry.objects.values_list("before", "after"))


def test_a_player_has_a_limited_number_of_tokens(player):
    for _ in range(api_tokens.MOST_PER_PLAYER):
        token = make(player)
    with pytest.raises(api_tokens.TokenRefused):
        make(player)
    api_tokens.revoke(token.token, None, clock.now())
    assert make(player)


def test_an_open_nickname_gets_no_token(during_round):
    """Rule 4.12."""
    player, _secret = players.create("Old", country="", email="", at=clock.now(), door="legacy")
    imported = Player.objects.create(
        nickname="x", name_key="x", claim_sha256="x", is_imported=True, created_at=cast.OPENS
    )
    for nobodys in (player, imported):
        with pytest.raises(api_tokens.TokenRefused):
            make(nobodys)


def test_a_program_needs_an_unused_nickname(player):
    """Rules 16.2, 16.3."""
    program, secret = api_tokens.make_program("Robo", None, clock.now())
    assert Player.objects.get(pk=program.pk).league == League.BOT
    assert players.is_proved(program, secret, None)
    for name in ("ann", "Αnn"):  # the second with a Greek letter (rule 4.5)
        with pytest.raises(api_tokens.TokenRefused, match=name):
            api_tokens.make_program(name, None, clock.now())
    assert Player.objects.get(pk=player.pk).league == League.HUMAN


def test_a_token_enters_under_every_name_of_its_player_and_no_other(player):
    """Rule 4.11."""
    token = make(player).token
    acts.rename(player, "Anna", None)
    token = Token.objects.select_related("player").get(pk=token.pk)
    assert [api_tokens.nickname(token, given) for given in ("", "  ", "ANN", "anna")] == ["Anna", "Anna", "ANN", "anna"]
    with pytest.raises(api_tokens.NotYours, match="Anna"):
        api_tokens.nickname(token, "Bob")


def run(capsys, *arguments):
    call_command("token", *arguments)
    return capsys.readouterr().out.strip()


def test_the_command_creates_a_program_and_prints_its_token_once(during_round, capsys):
    text = run(capsys, "Robo", "--bot", "--name", "my bot", "--days", "3")
    token = api_tokens.of_text(text, clock.now())
    assert (token.player.nickname, token.player.league, token.name) == ("Robo", "bot", "my bot")
    assert token.expires_at == clock.now() + timedelta(days=3)
    listed = run(capsys, "Robo", "--list")
    assert token.public_id in listed
    assert text not in listed


def test_the_command_grants_the_given_scopes_and_revokes_tokens(player, capsys):
    run(capsys, "Ann", "--scope", "read")
    token = Token.objects.get()
    assert (token.scopes, token.revoked_at) == ([Scope.READ], None)
    run(capsys, "Ann", "--revoke", token.public_id)
    assert not Token.objects.valid(clock.now()).exists()
