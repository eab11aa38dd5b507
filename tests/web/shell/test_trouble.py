import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client, RequestFactory

from contest.web.shell.trouble import our_fault

pytestmark = pytest.mark.django_db


def response_to(error, path):
    try:
        raise error
    except Exception:
        return our_fault(RequestFactory().get(path))


@pytest.mark.parametrize("error", [OperationalError("too many clients"), InterfaceError("closed")])
def test_an_unavailable_database_answers_503_with_retry_after(error):
    page = response_to(error, "/en/rounds/")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10")
    assert "try again in ten seconds" in " ".join(page.content.decode().split())
    answer = response_to(error, "/api/v1/rounds/")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert b'"retry_after": 10' in answer.content


def test_any_other_error_answers_500_and_reveals_nothing():
    page = response_to(KeyError("hidden"), "/en/rounds/")
    assert page.status_code == 500
    assert not any(word in page.content for word in (b"hidden", b"KeyError", b"test_trouble"))
    assert "Retry-After" not in page.headers


@pytest.mark.parametrize("path", ["rounds/1/sealed/open/", "s/somebodys/send/"])
def test_a_get_request_to_a_form_only_url_shows_an_explanation(client, path):
    """After a sign-in, a change of language or a reload, a browser may open the URL that a form was posted to."""
    answer = client.get(f"/en/{path}")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This URL only accepts a form" in answer.text


def test_other_methods_and_the_api_keep_their_405_response(client):
    assert client.put("/en/s/somebodys/send/").content == b""
    assert client.get("/api/v1/check/").json()["code"] == "method_not_allowed"


def test_an_expired_form_is_refused_with_an_explanation():
    answer = Client(enforce_csrf_checks=True).post("/en/s/somebodys/send/")
    assert answer.status_code == 403
    assert "What you sent was NOT received" in answer.text
