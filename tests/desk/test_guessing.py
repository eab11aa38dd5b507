"""Who guesses passwords and codes, and whom that keeps out."""

import dataclasses
import time

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.core import signing
from django.test import Client

from contest.infra import attempts
from tests.authenticator import code
from tests.desk.conftest import DESK, PASSWORD, member, said, with_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]


GUESS = {"proof-name": "organiser", "proof-password": "wrong", "proof-was-get": "1"}

RIGHT = GUESS | {"proof-password": PASSWORD}


def test_guessing_is_stopped_after_ten_attempts():
    with_device(member("organiser"))
    answers = [said(Client().post(DESK, GUESS)) for _time in range(11)]
    assert "Wrong user name or password" in answers[9]
    assert "Too many attempts" in answers[10]


def test_a_strangers_guesses_lock_nobody_out():
    """Not by the name, as ten wrong passwords at closing time once did."""
    with_device(member("organiser"))
    for _time in range(12):
        Client(REMOTE_ADDR="203.0.113.9").post(DESK, GUESS)
    assert "Too many" in said(Client(REMOTE_ADDR="203.0.113.9").post(DESK, RIGHT))
    at_home = Client(REMOTE_ADDR="198.51.100.7")
    assert at_home.post(DESK, RIGHT | {"proof-code": code()}).url == DESK


def test_an_address_tries_the_names_of_all_together_twenty_times():
    guesses = [GUESS | {"proof-name": f"organiser{number // 5}"} for number in range(21)]
    answers = [said(Client().post(DESK, guess)) for guess in guesses]
    assert ["Too many" in answer for answer in answers] == [False] * 20 + [True]


def test_all_strangers_together_are_slowed(monkeypatch):
    with_device(member("organiser"))
    slow = dataclasses.replace(attempts.PASSWORD, everybody="2/600s/key")
    monkeypatch.setattr(attempts, "PASSWORD", slow)
    answers = [Client(REMOTE_ADDR=f"203.0.113.{number}").post(DESK, RIGHT) for number in range(3)]
    assert ["Too many" in said(answer) for answer in answers] == [False, False, True]


def known_browser() -> Client:
    """One in which the organiser has opened the desk before, and signed out."""
    client = Client()
    client.post(DESK, RIGHT | {"proof-code": code()})
    assert client.get(DESK).status_code == 200
    client.post("/admin/logout/")
    assert "_auth_user_id" not in client.session
    return client


def test_a_browser_that_opened_the_desk_before_passes_by_strangers_of_its_network():
    with_device(member("organiser"))
    known = known_browser()
    for _time in range(12):
        Client().post(DESK, GUESS)
    assert "Too many" in said(Client().post(DESK, RIGHT))
    known.post(DESK, RIGHT)
    assert "_auth_user_id" in known.session


def test_a_known_browser_guesses_no_more_often_than_any():
    with_device(member("organiser"))
    known = known_browser()
    answers = [said(known.post(DESK, GUESS)) for _time in range(11)]
    assert ["Too many" in answer for answer in answers] == [False] * 10 + [True]


def test_a_password_alone_makes_no_browser_known(settings):
    with_device(member("organiser"))
    client = Client()
    client.post(DESK, RIGHT)
    assert settings.DEVICE_COOKIE_NAME not in client.cookies


def test_a_cookie_of_ones_own_making_passes_nothing(settings):
    user = with_device(member("organiser"))
    client = Client()
    client.cookies[settings.DEVICE_COOKIE_NAME] = signing.dumps({str(user.pk): "x"}, salt="device", key="another key")
    for _time in range(10):
        Client().post(DESK, GUESS)
    assert "Too many" in said(client.post(DESK, RIGHT))


def test_who_came_by_a_passkey_passes_by_strangers_and_still_gives_the_password():
    user = with_device(member("organiser"))
    for _time in range(10):
        Client().post(DESK, GUESS)
    client = Client()
    client.force_login(user)
    session = client.session
    del session["signed_in_as_staff"]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [
        {"method": "mfa", "at": time.time(), "type": "webauthn", "passwordless": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    assert "proof-password" in said(client.get(DESK))
    client.post(DESK, RIGHT | {"proof-code": code()})
    assert client.get(DESK).status_code == 200


def test_codes_are_not_guessed_from_many_addresses():
    """It takes the right password to use these attempts up, so they may be counted by the account."""
    with_device(member("organiser"))
    wrong = RIGHT | {"proof-code": "000"}
    answers = [said(Client(REMOTE_ADDR=f"203.0.113.{number}").post(DESK, wrong)) for number in range(11)]
    assert ["Too many" in answer for answer in answers] == [False] * 10 + [True]


def test_the_plain_admin_has_no_door_of_its_own():
    """One way in, where guesses are counted."""
    with_device(member("organiser"))
    asked = Client().post("/admin/login/?next=/admin/", {"username": "organiser", "password": PASSWORD})
    assert asked.status_code == 302
    assert asked.url.endswith("/desk/confirm/?next=%2Fadmin%2F")
    client = Client()
    client.post(asked.url, RIGHT | {"proof-code": code()})
    assert client.get(asked.url).url == "/admin/"
    assert client.get("/admin/").status_code == 200
