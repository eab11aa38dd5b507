"""Error pages for people and programs."""

import pytest
from django.db import InterfaceError, OperationalError
from django.test import RequestFactory

from contest.web.shell.trouble import our_fault


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


def test_the_api_answers_with_a_problem_document():
    answer = response_to(OperationalError("too many clients"), "/api/v1/rounds/")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert b'"retry_after": 10' in answer.content


def test_any_other_error_answers_500_and_reveals_nothing():
    page = response_to(KeyError("hidden"), "/en/rounds/")
    assert page.status_code == 500
    assert not any(word in page.content for word in (b"hidden", b"KeyError", b"test_trouble"))
    assert "Retry-After" not in page.headers
