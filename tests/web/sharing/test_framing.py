import pytest
from django.http import HttpResponse
from django.urls import path

from contest.urls import urlpatterns as sound
from contest.web.sharing.framing import allow_framing


def _shown(_request):
    return HttpResponse("shown")


urlpatterns = [path("en/embed/test/", allow_framing(_shown)), path("en/elsewhere/", _shown), *sound]

pytestmark = pytest.mark.urls(__name__)


def test_a_framed_page_may_stand_in_any_site(client):
    policy = client.get("/en/embed/test/").headers
    assert "frame-ancestors *" in policy["Content-Security-Policy"]
    assert "X-Frame-Options" not in policy


def test_a_framed_page_keeps_the_rest_of_the_policy(client):
    policy = client.get("/en/embed/test/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy


def test_a_framed_page_sets_no_cookie_and_may_be_kept(client):
    answer = client.get("/en/embed/test/")
    assert not answer.cookies
    assert "public" in answer.headers["Cache-Control"]


def test_all_other_pages_stand_in_no_frame(client):
    policy = client.get("/en/elsewhere/").headers
    assert "frame-ancestors 'none'" in policy["Content-Security-Policy"]
    assert policy["X-Frame-Options"] == "DENY"


def test_nothing_is_done_through_a_frame(client):
    assert client.post("/en/embed/test/").status_code == 405
