"""Addresses that an older version stored in another form prove nothing, and the operator sees them masked."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.management import call_command

from contest.models import Player
from contest.players import accounts, claims
from contest.staff import audit_log
from tests import cast

pytestmark = pytest.mark.django_db


def _account(name, *addresses):
    user = User.objects.create(username=name, email=addresses[0])
    for address in addresses:
        EmailAddress.objects.create(user=user, email=address, verified=False)
    return user.pk


def test_the_operator_sees_the_doubtful_ones_masked(capsys):
    usual = _account("usual", "li@example.org")
    doubtful = [
        _account("no form", "victim@gmaıl.com"),
        _account("other letters", "bo@xn--bcher-kva.example"),
        _account("shared", "anna@xn--bcher-kva.example"),
    ]
    player = Player.objects.create(nickname="nobody", name_key="nobody", email="lı@example.org", created_at=cast.OPENS)
    call_command("doubtful_addresses")
    listed = capsys.readouterr().out
    assert all(f"account {number}: " in listed for number in doubtful)
    assert f"account {usual}: " not in listed
    assert f"player {player.pk}: l…@e…" in listed
    assert "victim" not in listed
    assert "example" not in listed


def test_the_operator_ends_what_strangers_hold_of_names_owned_before_the_upgrade(capsys):
    """Rule 4.11: a stranger who made the name with another's address would still read what its owner does under it."""
    user = User.objects.get(pk=_account("owner", "li@example.org"))
    old, renewed, new = (
        Player.objects.create(nickname=name, name_key=name, email="li@example.org", owner=user, created_at=cast.OPENS)
        for name in ("old", "renewed", "new")
    )
    for player in (old, renewed):
        audit_log.record(user, "own", player, after={"by": "e-mail"})
    claims.renew(renewed, user)
    audit_log.record(user, "own", new, after={"by": "e-mail", "held": True})
    before = Player.objects.get(pk=old.pk).claim_sha256
    assert [*accounts.find_unended_names()] == [old]
    call_command("doubtful_addresses", "--end-secrets")
    assert f"player {old.pk}: secrets" in capsys.readouterr().out
    assert not [*accounts.find_unended_names()]
    assert Player.objects.get(pk=old.pk).claim_sha256 != before
