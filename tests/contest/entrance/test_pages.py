"""Cached pages are sent before Django handles the request, and are identical to rendered ones."""

import gzip
import random
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.test import Client, RequestFactory, override_settings

from contest.entrance.packing import SentAnswer
from contest.entrance.pages import Entrance
from contest.infra import clock, kept, logs
from tests import cast

# On PostgreSQL the version of the data covers the whole cluster, and parallel tests write to other databases of it.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database, pytest.mark.fast_paths]
PAGES = ["/en/", "/en/rounds/1/", "/en/rounds/1/main/", "/rounds/1/main/numbers.json", "/en/feeds/rounds.atom"]
POLLED = ["/en/rounds/1/main/?part=1", "/rounds/1/main/numbers.json", "/api/v1/rounds/1/main/standings/", "/rounds.ics"]
UNPACKS = {"Accept-Encoding": "gzip, br"}


@pytest.fixture(autouse=True)
def solved(cache_of_its_own):
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.enter_all(round_, [("Ann", 500, 120), ("Bo", 498, 118), ("Cy", 499, 130)])
        yield round_


class Late(Exception):
    """The request reached the site itself."""


def ask(address, cookie="", **headers):
    """Return status, headers and body of the cached response; raise Late if there is none."""
    response = []

    def site(*_asked):
        raise Late

    environ = RequestFactory().get(address, headers=headers).environ | ({"HTTP_COOKIE": cookie} if cookie else {})
    body = b"".join(Entrance(site)(environ, lambda status, head: response.extend((status, head))))
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
    "sent", [{"QUERY_STRING": "&" * 60_000}, {"HTTP_COOKIE": ";" * 60_000}], ids=["query", "cookie"]
)
def test_the_event_loop_parses_no_long_query_or_cookie(monkeypatch, sent):
    """All requests would wait meanwhile: 60 ms for the longest query."""
    again(PAGES[0])
    for parse in ("contest.entrance.keys.parse_cookie", "contest.infra.kept.unquote_plus"):
        monkeypatch.setattr(parse, Mock(side_effect=AssertionError))
    assert not Entrance(Late).may_answer(RequestFactory().get(PAGES[0]).environ | sent)


@pytest.mark.parametrize(
    ("address", "more"), [(PAGES[1], "?x=1"), (PAGES[0], "?utm_source=a&utm_medium=b"), (POLLED[0], "&x=part&y=%20")]
)
def test_an_unknown_parameter_makes_no_other_page(address, more):
    page = again(address)
    assert ask(address + more) == page
    assert late(address + more) == page


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


def test_a_compressed_page_contains_the_time_of_the_request():
    again("/en/", **UNPACKS)
    with clock.set_to(cast.DURING + timedelta(seconds=20)):
        body = again("/en/", **UNPACKS)[2]
    assert b'<meta name="server-time" content="2026-11-04T20:00:20' in gzip.decompress(body)


@pytest.mark.parametrize(
    "about", [{"cookie": "sessionid=abc"}, {"cookie": "claims=x; theme=dark"}, {"Authorization": "Bearer x"}]
)
def test_requests_with_cookies_or_tokens_bypass_the_page_cache(about):
    assert again("/en/")[0] == "200 OK"
    with pytest.raises(Late):
        ask("/en/", **about)


def test_after_a_verdict_the_site_itself_is_asked(solved):
    again(POLLED[2])
    cast.enter(solved, "Dee", 400, 100, at=cast.DURING)
    with pytest.raises(Late):
        ask(POLLED[2])


@override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"))
def test_what_was_asked_for_in_secret_is_not_sent_again_in_the_clear():
    assert again("/en/", **{"X-Forwarded-Proto": "https"})[0] == "200 OK"
    with pytest.raises(Late):
        ask("/en/")


@override_settings(LOG_REQUESTS=True)
def test_an_early_answer_stands_in_the_log_like_any_other(caplog):
    with caplog.at_level("INFO", "contest.requests"):
        again("/en/rounds/1/", **{"X-Request-ID": "from-the-proxy"})
    line = caplog.records[-1]
    assert (line.route, line.status) == ("en/rounds/<int:number>/", 200)
    assert logs.request_id.get() == "from-the-proxy"


def _bytes_in(one):
    """Return the number of page bytes that *one* holds."""
    if isinstance(one, (bytes, memoryview)):
        return len(one)
    return sum(map(_bytes_in, one)) if isinstance(one, (tuple, list)) else 0


@pytest.mark.parametrize("client_unpacks", [False, True])
def test_derived_copies_of_a_cached_page_count_towards_its_size(client_unpacks):
    """Random bytes cannot be compressed, so the compressed copy takes as much space again."""
    noise = random.Random(1)
    body = noise.randbytes(100_000) + b'<meta name="server-time" content="then">' + noise.randbytes(100_000)
    until = cast.DURING + timedelta(minutes=1)
    page = SentAnswer(lambda: "same", "same", cast.DURING, until, {}, body, None)
    size = page.size
    _head, sent = page.render(cast.DURING, site_packs=True, client_unpacks=client_unpacks)
    unpacked = gzip.decompress(sent) if client_unpacks else sent
    assert (unpacked[:100_000], unpacked[-100_000:]) == (body[:100_000], body[-100_000:])
    assert _bytes_in(list(vars(page).values())) <= size == page.size
