"""Cached pages are sent before Django handles the request, and are identical to rendered ones."""

import gzip
from unittest.mock import Mock

import pytest
from django.test import Client, RequestFactory, override_settings

from contest.entrance.pages import Entrance
from contest.infra import kept
from tests import cast

# On PostgreSQL the version of the data covers the whole cluster, and parallel tests write to other databases of it.
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
    pytest.mark.fast_paths,
    pytest.mark.usefixtures("three_solved"),
]
PAGES = ["/en/", "/en/rounds/1/", "/en/rounds/1/main/", "/rounds/1/main/numbers.json", "/en/feeds/rounds.atom"]
POLLED = ["/en/rounds/1/main/?part=1", "/rounds/1/main/numbers.json", "/api/v1/rounds/1/main/standings/", "/rounds.ics"]
UNPACKS = {"Accept-Encoding": "gzip, br"}


class Late(Exception):
    """The request reached the site itself."""


def ask(address, cookie="", **headers):
    """Return status, headers and body of the cached response; raise Late if there is none."""
    response = []
    environ = RequestFactory().get(address, headers=headers).environ | ({"HTTP_COOKIE": cookie} if cookie else {})
    body = b"".join(Entrance(Mock(side_effect=Late))(environ, lambda status, head: response.extend((status, head))))
    assert len(dict(response[1])) == len(response[1])
    return response[0], _plain(response[0], response[1]), body


def again(address, **headers):
    Client().get(address, headers=headers)
    return ask(address, **headers)


def late(address, **headers):
    kept.store.clear()
    answer = Client().get(address, headers=headers)
    status = f"{answer.status_code} {answer.reason_phrase}"
    return status, _plain(status, answer.items()), answer.content


def _plain(status, head):
    """Return the headers without the request's ID; of a 304 also without those that describe a body."""
    of_a_body = {"Content-Length", "Content-Type", "Content-Language", "Content-Disposition"}
    left_out = {"X-Request-ID"} | (of_a_body if status.startswith("304") else set())
    return {name: value for name, value in head if name not in left_out}


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_the_one_that_would_be_made(address):
    assert late(address) == again(address)


@pytest.mark.parametrize(
    ("address", "more"), [(PAGES[1], "?x=1"), (PAGES[0], "?utm_source=a&utm_medium=b"), (POLLED[0], "&x=part&y=%20")]
)
def test_an_unknown_parameter_makes_no_other_page(address, more):
    page = again(address)
    assert ask(address + more) == page
    assert late(address + more) == page


def test_another_spelling_of_the_languages_makes_no_other_response():
    """Anybody could have the same computed again, as often as a header can be written."""
    response = again(POLLED[2], **{"Accept-Language": "en"})
    assert ask(POLLED[2], **{"Accept-Language": "xx, en;q=0.37"}) == response
    with pytest.raises(Late):
        ask(POLLED[2], **{"Accept-Language": "zh, en;q=0.37"})


def test_a_known_parameter_makes_another_page():
    again("/en/hall/?by=points&x=1")
    assert ask("/en/hall/?y=1&by=points")[0] == "200 OK"
    with pytest.raises(Late):
        ask("/en/hall/?by=rounds")


@pytest.mark.parametrize("address", POLLED)
def test_nothing_has_changed_in_the_words_of_the_site(address):
    etag = Client().get(address)["ETag"]
    for known in (etag, f'"other", W/{etag}', "*"):
        assert late(address, **{"If-None-Match": known}) == again(address, **{"If-None-Match": known})
    assert again(address, **{"If-None-Match": '"other"'})[0] == "200 OK"


@pytest.mark.parametrize("address", [PAGES[0], PAGES[2], PAGES[4]])
def test_clients_that_accept_gzip_get_the_same_page_compressed(address):
    _status, head, body = again(address, **UNPACKS)
    assert gzip.decompress(body) == late(address)[2]
    late_head = late(address, **UNPACKS)[1]
    assert int(head["Content-Length"]) == len(body)
    assert {**head, "Content-Length": ""} == {**late_head, "Content-Length": ""}
    assert head["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in again(address)[1]


@pytest.mark.parametrize(
    "about", [{"cookie": "sessionid=abc"}, {"cookie": "claims=x; theme=dark"}, {"Authorization": "Bearer x"}]
)
def test_requests_with_cookies_or_tokens_bypass_the_page_cache(about):
    assert again("/en/")[0] == "200 OK"
    with pytest.raises(Late):
        ask("/en/", **about)


@pytest.mark.parametrize(
    ("address", "headers"), [("/rounds.ics", {"Accept-Language": "en;q=0.1," * 200}), ("/en/?" + "x=1&" * 300, {})]
)
def test_no_page_is_stored_under_a_long_key(address, headers):
    """8,192 pages of 4 KB are stored: a header of 60 KB in the key of each made half a gigabyte."""
    with pytest.raises(Late):
        again(address, **headers)
    assert not kept.store._responses


def test_after_a_verdict_the_site_itself_is_asked(three_solved):
    again(POLLED[2])
    cast.enter(three_solved, "Dee", 400, 100, at=cast.DURING)
    with pytest.raises(Late):
        ask(POLLED[2])


@override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"))
def test_what_was_asked_for_in_secret_is_not_sent_again_in_the_clear():
    assert again("/en/", **{"X-Forwarded-Proto": "https"})[0] == "200 OK"
    with pytest.raises(Late):
        ask("/en/")
