"""Cached pages: sent only to anonymous clients, and only while they are up to date."""

from datetime import timedelta

import pytest
from django.core import signing
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from contest.infra import clock, kept
from contest.infra.database import state as database_state
from contest.models import Player, Round
from contest.players import api_tokens
from contest.web.shell import theme
from tests import cast

# As in tests/contest/entrance/test_pages.py.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database, pytest.mark.fast_paths]
PAGES = ["", "rounds/", "rounds/1/", "rounds/1/main/", "rounds/1/main/moves/", "rounds/1/submissions/"]
POLLED = [
    "/en/rounds/1/main/?part=1",
    "/en/rounds/1/submissions/?part=1",
    "/en/screen/1/?part=1",
    "/rounds/1/main/numbers.json",
    "/api/v1/rounds/1/main/standings/",
    "/api/v1/rounds/1/",
    "/en/feeds/rounds.atom",
    "/rounds.ics",
]
# A page's 304 and its full response have the same headers, apart from these.


@pytest.fixture
def solved(cache_of_its_own):
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.enter_all(round_, [("Ann", 500, 120), ("Bo", 498, 118), ("Cy", 499, 130)])
        yield round_


@pytest.fixture
def asks():
    """Count the database queries for a URL, without those that check for writes."""

    def ask(client, address, **headers):
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address, headers=headers)
        return answer, len(captured.captured_queries)

    return ask


def text(client, address, **headers):
    return client.get(address, headers=headers).content.decode()


def etags(client, addresses):
    return {address: client.get(address)["ETag"] for address in addresses}


def test_a_stranger_who_comes_later_gets_the_page_without_another_look_for_a_minute(client, solved, asks):
    for page in PAGES:
        first, many = asks(client, f"/en/{page}")
        later, few = asks(Client(), f"/en/{page}")
        assert many > few == 0, page
        assert later.content == first.content
        assert later.headers.keys() == first.headers.keys()
    with clock.set_to(cast.DURING + timedelta(seconds=20)):
        assert asks(client, "/en/")[1] == 0
    with clock.set_to(cast.DURING + timedelta(minutes=1)):
        assert asks(client, "/en/")[1] > 1


@pytest.mark.parametrize("knows", ["a page that was kept", "only that it may have changed"])
def test_who_asks_again_is_told_without_another_look_that_nothing_has_changed(client, solved, asks, knows):
    known = etags(client, POLLED)
    if knows != "a page that was kept":
        kept.store.clear()
        for address, etag in known.items():
            assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    for address, etag in known.items():
        answer, few = asks(client, address, **{"If-None-Match": etag})
        assert (answer.status_code, answer.content, few == 0, answer["ETag"]) == (304, b"", True, etag), address
        assert client.get(address).status_code == 200


def test_a_verdict_is_news_at_once_and_one_on_another_round_is_none(client, solved, asks):
    """Clients poll boards while other boards change."""
    known = etags(client, POLLED[:5])
    old = cast.a_round(2, **cast.earlier(4))
    cast.enter(old, "Dee", 50, 20, at=old.opens_at)
    for address, etag in known.items():
        answer, few = asks(client, address, **{"If-None-Match": etag})
        assert (answer.status_code, few) == (304, 0), address
    cast.enter(solved, "Dee", 400, 100, at=cast.DURING + timedelta(hours=1))
    for address, etag in known.items():
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 200, address


def _ann():
    return Player.objects.get(nickname__startswith="Ann", merged_into=None)


def test_no_page_is_older_than_the_hour_that_strikes(client, solved):
    """A round may open in the middle of a minute."""
    shift = timedelta(seconds=30.7)
    Round.objects.update(opens_at=cast.OPENS + shift, closes_at=cast.CLOSES + shift)
    addresses = ["/en/", "/en/rounds/1/", "/api/v1/rounds/1/"]
    for moment in (cast.OPENS + shift, cast.CLOSES + shift):
        for before in (300, 100):
            with clock.set_to(moment - timedelta(milliseconds=before)):
                shown = [text(client, address) for address in addresses]
        with clock.set_to(moment):
            struck = [text(client, address) for address in addresses]
            kept.store.clear()
            assert [text(client, address) for address in addresses] == struck
        assert struck != shown


def test_nothing_of_a_round_is_answered_early_before_it_is_announced_or_opened(client, solved):
    """An ETag must not depend on hidden data (rule 7.4)."""
    before = etags(client, POLLED[3:5])
    Round.objects.update(opens_at=cast.DURING + timedelta(days=1))
    for address, etag in before.items():
        for known in (etag, "*"):
            assert client.get(address, headers={"If-None-Match": known}).status_code == 404
    Round.objects.update(announced_at=cast.DURING + timedelta(hours=1))
    assert client.get("/api/v1/rounds/1/", headers={"If-None-Match": "*"}).status_code == 404


def test_each_language_theme_and_host_has_its_own(client, solved):
    assert "Rounds" in text(client, "/en/")
    assert "Rounds" not in text(client, "/zh-hans/")
    assert text(client, "/rounds.ics", **{"Accept-Language": "en"}) != text(client, "/rounds.ics")
    client.cookies[theme.COOKIE] = "dark"
    assert 'data-theme="dark"' in text(client, "/en/")
    assert 'data-theme="dark"' not in text(Client(), "/en/")
    assert "one.example" in text(client, "/en/feeds/rounds.atom", Host="one.example")
    assert "one.example" not in text(client, "/en/feeds/rounds.atom", Host="two.example")


def test_who_has_proved_a_name_sees_their_own_rows_and_leaves_none_behind(client, solved):
    """Rule 4.11."""
    mine, own_row = Client(), "mark you"
    claim = {str(_ann().pk): cast.claim_of("Ann")}
    mine.cookies["claims"] = signing.dumps(claim, salt="claims", compress=True)
    for _time in range(2):
        for page in PAGES[3:5]:
            assert own_row in text(mine, f"/en/{page}")
            assert own_row not in text(client, f"/en/{page}")
    etag = client.get(POLLED[0])["ETag"]
    assert mine.get(POLLED[0], headers={"If-None-Match": etag}).status_code == 200


def test_a_token_is_looked_at_however_often_others_have_asked(client, solved):
    address = "/api/v1/rounds/1/main/standings/"
    etag = client.get(address)["ETag"]
    client.get(address)
    refused = client.get(address, headers={"If-None-Match": etag, "Authorization": "Bearer leitai_nothing"})
    assert refused.status_code == 401
    token = api_tokens.make(_ann(), None, cast.DURING).text
    assert client.get(address, headers={"Authorization": f"Bearer {token}"}).status_code == 200


def test_what_is_written_while_a_page_is_made_is_not_lost(client, solved, monkeypatch):
    """The page may or may not contain the change, so it is not cached."""
    from contest.web.pages import views

    as_before = views.results.preview

    def preview(*args):
        made = as_before(*args)
        Round.objects.update(title_en="Meanwhile")
        return made

    monkeypatch.setattr(views.results, "preview", preview)
    text(client, "/en/rounds/1/"), text(client, "/en/")
    monkeypatch.undo()
    now = text(client, "/en/")
    kept.store.clear()
    assert now == text(client, "/en/")


def test_no_answer_with_a_cookie_is_kept(client, solved, asks):
    client.get("/en/submit/")
    stranger = Client()
    assert asks(stranger, "/en/submit/")[1] > 1
    assert asks(Client(), "/en/submit/")[1] > 1


@override_settings(SECURE_SSL_REDIRECT=True)
def test_plain_http_is_redirected_even_if_the_page_is_cached(client, solved):
    assert client.get("/en/", secure=True).status_code == 200
    assert client.get("/en/").status_code == 301


def test_while_the_database_is_away_who_asks_again_is_told_so(client, solved, monkeypatch):
    etag = client.get("/api/v1/rounds/1/main/standings/")["ETag"]

    def away(*_query, **_values):
        raise OperationalError

    monkeypatch.setattr(database_state, "_connect", away)
    database_state.forget()
    with connection.execute_wrapper(away):
        answer = client.get("/api/v1/rounds/1/main/standings/", headers={"If-None-Match": etag})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
