"""Migration 0021 on a filled database: nothing is merged, nothing deleted, nothing doubtful proves anything."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from contest.models import Player, Subscriber
from tests import cast

pytestmark = pytest.mark.django_db


def moved(fill):
    """Fill a database with rows as they were before, and let the migration mend them."""
    fill()
    import_module("contest.migrations.0021_keep_one_form_of_an_address").keep_one_form(
        apps, SimpleNamespace(connection=connection)
    )


def _account(name, *addresses, owns=()):
    user = User.objects.create(username=name, email=addresses[0])
    for place, address in enumerate(addresses):
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=place == 0)
    for nickname, address in owns:
        _player(nickname, address, owner=user)


def _player(nickname, address, **fields):
    Player.objects.create(nickname=nickname, name_key=nickname, email=address, created_at=cast.OPENS, **fields)


def _subscriber(address, key):
    Subscriber.objects.create(email=address, language="en", key=key, asked_at=cast.OPENS, confirmed_at=cast.OPENS)


def _fill():
    _account("ascii", "Li@Example.org", owns=[("li", "LI@example.org")])
    _account("thief", "victim@gmaıl.com", owns=[("victim", "victim@gmail.com")])
    _account("one", "bo@bücher.example", owns=[("bo", "bo@bücher.example")])
    _account("other", "bo@xn--bcher-kva.example", owns=[("bo2", "")])
    _account("twice", "anna@bücher.example", "anna@xn--bcher-kva.example")
    _account("none", "lı@example.org", owns=[("nobody", "lı@example.org")])
    _player("alone", "X@Example.org")
    for place, address in enumerate(["a@bücher.example", "b@bücher.example", "b@xn--bcher-kva.example", "lı@a.org"]):
        _subscriber(address, f"key{place}")


def _verified():
    return set(EmailAddress.objects.filter(verified=True).values_list("user__username", "email"))


def test_every_account_keeps_its_rows_addresses_get_their_canonical_form_and_doubtful_ones_are_unproved():
    moved(_fill)
    assert set(Player.objects.values_list("nickname", "owner__username", "email")) == {
        ("li", "ascii", "li@example.org"),
        ("victim", "thief", "victim@gmail.com"),
        ("bo", "one", "bo@xn--bcher-kva.example"),
        ("bo2", "other", ""),
        ("nobody", "none", "lı@example.org"),
        ("alone", None, "x@example.org"),
    }
    assert EmailAddress.objects.count() == 7
    assert User.objects.get(username="ascii").email == "li@example.org"
    assert _verified() == {("ascii", "li@example.org")}
    assert Subscriber.objects.count() == 4
    assert set(Subscriber.objects.filter(stopped_at=None).values_list("email", flat=True)) == {
        "a@xn--bcher-kva.example",
        "b@xn--bcher-kva.example",
    }


def test_the_operator_sees_the_doubtful_ones_masked(capsys):
    moved(_fill)
    assert "6 addresses of accounts have to be proved anew" in capsys.readouterr().out
    call_command("doubtful_addresses")
    told = capsys.readouterr().out
    numbers = {user.username: user.pk for user in User.objects.all()}
    for name in ("thief", "one", "other", "twice", "none"):
        assert f"account {numbers[name]}: " in told
    assert f"account {numbers['ascii']}: " not in told
    assert f"player {Player.objects.get(nickname='nobody').pk}: l…@e…" in told
    assert "victim" not in told
    assert "example" not in told
