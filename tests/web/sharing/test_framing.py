import pytest
from django.http import HttpResponse
from django.urls import path

from contest.urls import urlpatterns as sound
from contest.web.sharing.framing import allow_framing


def _shown(_request):
    return HttpResponse("shown")


urlpatterns = [path("en/embed/test/", allow_framing(_shown)), path("en/elsewhere/", _shown), *sound]

pytestmark = pytest.mark.urls(__name__)


def test_a_framed_page_may_stand_in_any_site_and_keeps_the_rest_of_the_policy(client):
    headers = client.get("/en/embed/test/").headers
    for words in ("frame-ancestors *", "default-src 'none'", "script-src 'self'"):
        assert words in headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in headers


def test_a_framed_page_sets_no_cookie_may_be_kept_and_does_nothing(client):
    answer = client.get("/en/embed/test/")
    assert not answer.cookies
    assert "public" in answer.headers["Cache-Control"]
    assert client.post("/en/embed/test/").status_code == 405


def test_all_other_pages_stand_in_no_frame(client):
    policy = client.get("/en/elsewhere/").headers
    assert "frame-ancestors 'none'" in policy["Content-Security-Policy"]
    assert policy["X-Frame-Options"] == "DENY"
