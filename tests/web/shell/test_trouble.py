"""Error pages for people and programs."""

import pytest
from django.db import InterfaceError, OperationalError
from django.test import RequestFactory

from contest.web.shell.trouble import our_fault


def told(error, path):
    try:
        raise error
    except Exception:
        return our_fault(RequestFactory().get(path))


@pytest.mark.parametrize("error", [OperationalError("too many clients"), InterfaceError("closed")])
def test_a_database_that_cannot_be_asked_is_busy_and_not_broken(error):
    page = told(error, "/en/rounds/")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10")
    assert "try again in ten seconds" in " ".join(page.content.decode().split())


def test_a_program_is_told_in_its_own_way():
    answer = told(OperationalError("too many clients"), "/api/v1/rounds/")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert b'"retry_after": 10' in answer.content


def test_any_other_error_is_an_error():
    page = told(KeyError("x"), "/en/rounds/")
    assert page.status_code == 500
    assert "Retry-After" not in page.headers
