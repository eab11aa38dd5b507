"""Guessing of passwords and codes, and its effect on others."""

from collections.abc import Iterable

import pytest
from django.core import signing
from django.test import Client

from tests.authenticator import code
from tests.desk.conftest import DESK, PASSWORD, member, proved, with_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]

GUESS = {"proof-name": "organiser", "proof-password": "wrong", "proof-was-get": "1"}
RIGHT = GUESS | {"proof-password": PASSWORD}


@pytest.fixture
def user(db):
    return with_device(member("organiser"))


def are_too_many(clients: Iterable[Client], given: dict[str, str]) -> list[bool]:
    return ["Too many" in client.post(DESK, given).text for client in clients]


def strangers(count: int) -> list[Client]:
    return [Client(REMOTE_ADDR=f"203.0.113.{number}") for number in range(count)]


def test_guessing_is_stopped_after_ten_attempts_and_locks_nobody_out(user):
    """Not by the name: ten wrong passwords once locked an organiser out at closing time."""
    assert "Wrong user name or password" in Client().post(DESK, GUESS).text
    assert are_too_many([Client()] * 10, GUESS) == [False] * 9 + [True]
    assert "Too many" in Client().post(DESK, RIGHT).text
    at_home = Client(REMOTE_ADDR="198.51.100.7")
    assert at_home.post(DESK, RIGHT | {"proof-code": code()}).url == DESK


def test_an_address_tries_the_names_of_all_together_twenty_times():
    guesses = [GUESS | {"proof-name": f"organiser{number // 5}"} for number in range(21)]
    assert [are_too_many([Client()], guess) for guess in guesses] == [[False]] * 20 + [[True]]


@pytest.mark.parametrize(("limited", "elsewhere"), [("all", True), ("network", False)])
def test_all_strangers_together_are_slowed_and_one_network_harms_no_other(user, settings, limited, elsewhere):
    """Thirty addresses of one network made every new browser wait."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {f"contest.password.{limited}": "2/600s/key"}
    waits = are_too_many([*strangers(3), Client(REMOTE_ADDR="198.51.100.7")], RIGHT)
    assert waits == [False, False, True, elsewhere]


@pytest.fixture
def known(user) -> Client:
    client = Client()
    client.post(DESK, RIGHT | {"proof-code": code()})
    assert client.get(DESK).status_code == 200
    client.post("/admin/logout/")
    assert "_auth_user_id" not in client.session
    return client


def test_a_browser_that_opened_the_desk_before_passes_by_strangers_of_its_network(known):
    assert are_too_many([Client()] * 12, GUESS)[-1]
    known.post(DESK, RIGHT)
    assert "_auth_user_id" in known.session


@pytest.mark.parametrize("guess", [GUESS, RIGHT | {"proof-code": "000"}])
def test_a_known_browser_guesses_passwords_and_codes_no_more_often_than_any(known, guess):
    assert are_too_many([known] * 11, guess) == [False] * 10 + [True]


def test_neither_a_password_alone_nor_a_cookie_of_ones_own_making_makes_a_browser_known(user, settings):
    client = Client()
    client.post(DESK, RIGHT)
    assert settings.DEVICE_COOKIE_NAME not in client.cookies
    forger = Client()
    forger.cookies[settings.DEVICE_COOKIE_NAME] = signing.dumps({str(user.pk): "x"}, salt="device", key="another key")
    are_too_many([Client()] * 10, GUESS)
    assert are_too_many([forger], RIGHT) == [True]


def test_strangers_do_not_lock_out_a_passkey_user_and_the_password_is_still_required(user):
    are_too_many([Client()] * 10, GUESS)
    client = proved(user, kind="webauthn", passwordless=True)
    session = client.session
    del session["signed_in_as_staff"]
    session.save()
    assert "proof-password" in client.get(DESK).text
    client.post(DESK, RIGHT | {"proof-code": code()})
    assert client.get(DESK).status_code == 200


def test_codes_are_not_guessed_from_many_addresses(user):
    """These attempts require the right password, so they may be counted per account."""
    assert are_too_many(strangers(11), RIGHT | {"proof-code": "000"}) == [False] * 10 + [True]


def test_the_plain_admin_has_no_door_of_its_own(user):
    asked = Client().post("/admin/login/?next=/admin/", {"username": "organiser", "password": PASSWORD})
    assert (asked.status_code, asked.url.partition("/desk/")[2]) == (302, "confirm/?next=%2Fadmin%2F")
    client = Client()
    client.post(asked.url, RIGHT | {"proof-code": code()})
    assert client.get(asked.url).url == "/admin/"
    assert client.get(f"{DESK}confirm/?next=https://elsewhere.example/").url == DESK
    assert client.get("/admin/").status_code == 200
