"""A NUL character in any sent text is refused: PostgreSQL cannot store it, which once caused a server error."""

import pytest
from django.contrib.auth.models import User
from django.db import DataError, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory

from contest.web.shell.middleware import NoNul

NUL = "a\0b"


@pytest.fixture
def lenient_client():
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("address", ["/en/rounds/7/ma%00in/", "/en/players/?q=a%00b", "/static/%00", "/admin/%00/"])
def test_a_url_with_a_nul_is_refused(lenient_client, db, address):
    assert lenient_client.get(address).status_code == 400


@pytest.mark.parametrize("name", ["session", "claims"])
def test_a_cookie_with_a_nul_is_refused(lenient_client, db, name):
    """Cookies may contain any byte, written as \\000."""
    assert lenient_client.get("/en/me/", headers={"Cookie": f'{name}="a\\000b"'}).status_code == 400


@pytest.mark.parametrize("name", ["proof-name", "proof-password", "proof-code"])
def test_a_proof_with_a_nul_is_refused(lenient_client, db, cache_of_its_own, name):
    given = {"proof-name": "somebody", "proof-password": "x", "proof-code": "1", name: NUL}
    assert lenient_client.post("/en/desk/", given).status_code < 500


def refusal_after(error):
    return NoNul(lambda _request: HttpResponse()).process_exception(RequestFactory().get("/en/"), error)


def test_an_error_about_a_nul_is_a_refusal_and_other_errors_stay():
    assert refusal_after(ValueError("A string literal cannot contain NUL (0x00) characters.")).status_code == 400
    assert refusal_after(ValueError("invalid literal")) is None


@pytest.mark.postgres
def test_the_error_of_the_database_about_a_nul_is_recognised(db):
    with pytest.raises((DataError, ValueError)) as error, transaction.atomic():
        User.objects.filter(username=NUL).exists()
    assert refusal_after(error.value).status_code == 400
