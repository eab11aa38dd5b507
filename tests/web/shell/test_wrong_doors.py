"""Explanations for a browser that opens a form-only URL, or sends an expired form."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


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
