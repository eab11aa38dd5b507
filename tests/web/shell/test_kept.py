from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from contest.infra import clock, kept
from contest.infra.database import state as database_state
from contest.models import Round
from contest.web.shell import theme
from tests import cast

# As in tests/contest/entrance/test_pages.py.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database, pytest.mark.fast_paths]
PAGES = ["", "rounds/", "rounds/1/", "rounds/1/main/", "rounds/1/main/moves/", "rounds/1/submissions/"]
POLLED = [f"/en/{page}?part=1" for page in ("rounds/1/main/", "rounds/1/submissions/", "screen/1/")]
POLLED += ["/rounds/1/main/numbers.json", "/api/v1/rounds/1/main/standings/", "/api/v1/rounds/1/"]
POLLED += ["/en/feeds/rounds.atom", "/rounds.ics"]


@pytest.fixture
def count_queries():
    def get(client, address, **headers):
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address, headers=headers)
        return answer, len(captured.captured_queries)

    return get


def text_of(client, address, **headers):
    return client.get(address, headers=headers).content.decode()


def etags(client, addresses):
    return {address: client.get(address)["ETag"] for address in addresses}


def test_an_anonymous_client_gets_a_cached_page_without_queries(client, three_solved, count_queries):
    for page in PAGES:
        first, first_count = count_queries(client, f"/en/{page}")
        later, later_count = count_queries(Client(), f"/en/{page}")
        assert first_count > later_count == 0, page
        assert later.content == first.content
        assert later.headers.keys() == first.headers.keys()
    with clock.set_to(cast.DURING + timedelta(seconds=20)):
        assert count_queries(client, "/en/")[1] == 0
    with clock.set_to(cast.DURING + timedelta(minutes=1)):
        assert count_queries(client, "/en/")[1] > 1


@pytest.mark.parametrize("knows", ["a page that was kept", "only that it may have changed"])
def test_a_conditional_request_is_answered_304_without_queries(client, three_solved, count_queries, knows):
    known = etags(client, POLLED)
    if knows != "a page that was kept":
        kept.store.clear()
        for address, etag in known.items():
            assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    for address, etag in known.items():
        answer, count = count_queries(client, address, **{"If-None-Match": etag})
        assert (answer.status_code, answer.content, count == 0, answer["ETag"]) == (304, b"", True, etag), address
        assert client.get(address).status_code == 200


def test_only_verdicts_of_the_same_round_invalidate_a_page(client, three_solved, count_queries):
    """Clients poll boards while other boards change."""
    known = etags(client, POLLED[:5])
    old = cast.a_round(2, **cast.earlier(4))
    cast.enter(old, "Dee", 50, 20, at=old.opens_at)
    for address, etag in known.items():
        answer, count = count_queries(client, address, **{"If-None-Match": etag})
        assert (answer.status_code, count) == (304, 0), address
    cast.enter(three_solved, "Dee", 400, 100, at=cast.DURING + timedelta(hours=1))
    for address, etag in known.items():
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 200, address


def test_no_cached_page_outlives_an_opening_or_a_close(client, three_solved):
    """A round may open in the middle of a minute."""
    shift = timedelta(seconds=30.7)
    Round.objects.update(opens_at=cast.OPENS + shift, closes_at=cast.CLOSES + shift)
    addresses = ["/en/", "/en/rounds/1/", "/api/v1/rounds/1/"]
    for moment in (cast.OPENS + shift, cast.CLOSES + shift):
        for before in (300, 100):
            with clock.set_to(moment - timedelta(milliseconds=before)):
                texts_before = [text_of(client, address) for address in addresses]
        with clock.set_to(moment):
            texts_after = [text_of(client, address) for address in addresses]
            kept.store.clear()
            assert [text_of(client, address) for address in addresses] == texts_after
        assert texts_after != texts_before


def test_each_language_theme_and_host_is_cached_separately(client, three_solved):
    assert "Rounds" in text_of(client, "/en/")
    assert "Rounds" not in text_of(client, "/zh-hans/")
    assert text_of(client, "/rounds.ics", **{"Accept-Language": "en"}) != text_of(client, "/rounds.ics")
    client.cookies[theme.COOKIE] = "dark"
    assert 'data-theme="dark"' in text_of(client, "/en/")
    assert 'data-theme="dark"' not in text_of(Client(), "/en/")
    assert "one.example" in text_of(client, "/en/feeds/rounds.atom", Host="one.example")
    assert "one.example" not in text_of(client, "/en/feeds/rounds.atom", Host="two.example")


def test_pages_for_a_viewer_with_a_nickname_are_not_cached(client, three_solved):
    """Rule 4.11."""
    own_client, own_row = cast.browser_of("Ann"), "mark you"
    for _time in range(2):
        for page in PAGES[3:5]:
            assert own_row in text_of(own_client, f"/en/{page}")
            assert own_row not in text_of(client, f"/en/{page}")
    etag = client.get(POLLED[0])["ETag"]
    assert own_client.get(POLLED[0], headers={"If-None-Match": etag}).status_code == 200


def test_a_page_is_not_cached_if_data_changes_during_rendering(client, three_solved, monkeypatch):
    """The page may or may not contain the change, so it is not cached."""
    from contest.web.pages import views

    as_before = views.results.preview

    def preview(*args):
        made = as_before(*args)
        Round.objects.update(title_en="Meanwhile")
        return made

    monkeypatch.setattr(views.results, "preview", preview)
    text_of(client, "/en/rounds/1/"), text_of(client, "/en/")
    monkeypatch.undo()
    now = text_of(client, "/en/")
    kept.store.clear()
    assert now == text_of(client, "/en/")


def test_responses_that_set_a_cookie_are_not_cached(client, three_solved, count_queries):
    client.get("/en/submit/")
    stranger = Client()
    assert count_queries(stranger, "/en/submit/")[1] > 1
    assert count_queries(Client(), "/en/submit/")[1] > 1


@override_settings(SECURE_SSL_REDIRECT=True)
def test_plain_http_is_redirected_even_if_the_page_is_cached(client, three_solved):
    assert client.get("/en/", secure=True).status_code == 200
    assert client.get("/en/").status_code == 301


def test_without_the_database_a_conditional_request_is_answered_503(client, three_solved, monkeypatch):
    etag = client.get("/api/v1/rounds/1/main/standings/")["ETag"]

    def away(*_query, **_values):
        raise OperationalError

    monkeypatch.setattr(database_state, "_connect", away)
    database_state.forget()
    with connection.execute_wrapper(away):
        answer = client.get("/api/v1/rounds/1/main/standings/", headers={"If-None-Match": etag})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
