"""Explanations for a browser that opens a form-only URL, or sends an expired form."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["rounds/1/sealed/open/", "s/somebodys/send/"])
def test_an_address_that_takes_forms_alone_says_so_to_whoever_opens_it(client, path):
    """After a sign-in, a change of language or a reload, a browser may open the URL that a form was posted to."""
    answer = client.get(f"/en/{path}")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address only takes a form" in answer.text


def test_a_program_that_asks_in_a_wrong_way_is_told_as_before(client):
    assert client.put("/en/s/somebodys/send/").content == b""
    assert client.get("/api/v1/check/").json()["code"] == "method_not_allowed"


def test_a_form_that_has_expired_says_that_nothing_was_received():
    answer = Client(enforce_csrf_checks=True).post("/en/s/somebodys/send/")
    assert answer.status_code == 403
    assert "What you sent was NOT received" in answer.text
