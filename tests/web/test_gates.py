"""Rule 5.9: every URL that costs more than a page counts a request before it reads or parses anything of it."""

import io
import re

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session

from contest.infra import rate_limits
from tests import sizes
from tests.leaks import crawl
from tests.leaks.addresses import addresses, routes
from tests.leaks.scene import scene

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("cluster")]
LEVEL = "#####\n#@$.#\n#####"
FORM = {"data": "", "content_type": "application/x-www-form-urlencoded"}
# What reads a puzzle in a URL.
PARSERS = ("solvers.sokoban.Level.parse", "solvers.sokoban.Moves.parse", "solvers.klotski.Layout.parse")
# The protocols of older programs report every refusal with status 200.
WITH_OWN_STATUS = re.compile(r"^/(submit_result\.php|letslogic/)")
# Refused by their method, their address or their permission, before any gate.
REFUSED_BEFORE = {301, 302, 401, 403, 404, 405, 415}


class Body(io.BytesIO):
    calls = 0

    def read(self, size=-1):
        self.calls += 1
        return super().read(size)

    def readline(self, size=-1):
        self.calls += 1
        return super().readline(size)


@pytest.fixture
def planted(db):
    with scene() as made:
        yield made


@pytest.fixture
def shut(monkeypatch):
    asked = []

    def refuse(gate, _amount):
        asked.append(gate.key.partition(":")[0])
        raise rate_limits.Busy(1, 7)

    monkeypatch.setattr(rate_limits, "_pass", refuse)
    return asked


def post_with(client, address, body, kind):
    fields = {"wsgi.input": body, "CONTENT_LENGTH": str(len(body.getvalue())), "CONTENT_TYPE": kind}
    return client.generic("POST", address, "", kind, **fields)


@pytest.mark.one_database  # the scene has two rounds open at once, which PostgreSQL refuses
@pytest.mark.parametrize("role", sizes.cases(["bot"], ["anonymous", "owner"]))
def test_no_url_reads_the_body_of_a_refused_post(planted, shut, role):
    client, rows, refused, wrong = planted.client(role), crawl.Rows(), [], []
    client.handler.enforce_csrf_checks = True
    client.cookies["csrf"] = "x" * 32  # With this cookie the CSRF check reads the form.
    for address in addresses():
        filled = next(address.filled(crawl._fillers(planted, role, address, rows)))
        is_api = filled.startswith("/api/")
        body = Body(b'{"moves": "R"}' if is_api else b"moves=R&pasted=R&key=R")
        answer = post_with(client, filled, body, "application/json" if is_api else FORM["content_type"])
        refused += [filled] if answer.status_code == 429 else []
        is_refused = answer.status_code in {429, *REFUSED_BEFORE} or WITH_OWN_STATUS.match(filled)
        if body.calls or not is_refused:
            wrong.append((filled, answer.status_code, body.calls))
    assert wrong == []
    assert len(refused) > 50


@pytest.mark.parametrize(
    "address",
    [
        "/zh-hans/lab/klotski/strict/?from=AA&to=AA",
        "/zh-hans/lab/pictures/?level=x",
        "/zh-hans/search/?q=x",
        "/sokoplayer/?AA",
        "/lurd2xsb/R",
        "/lurd2xsb/?moves=R",
        "/api/v1/rebuild/R/",
    ],
)
def test_a_refused_link_is_not_parsed(client, shut, monkeypatch, address):
    for parser in PARSERS:
        monkeypatch.setattr(parser, None)
    answer = client.get(address)
    assert (answer.status_code, answer["Retry-After"]) == (429, "7")


def test_every_view_that_counts_reading_is_tried_above():
    counted = {
        pattern for pattern, route in routes() if getattr(getattr(route.callback, "door", None), "is_read", False)
    }
    assert counted == {
        "zh-hans/lab/klotski/strict/", "zh-hans/lab/pictures/", "zh-hans/search/", "sokoplayer/", "lurd2xsb/",
        "lurd2xsb/<str:moves>",
    }  # fmt: skip


def test_a_challenge_for_a_passkey_is_counted_before_its_session_is_stored(client, shut):
    """Anybody could store thousands of sessions a minute by reading."""
    answer = client.get("/en/account/passkeys/login/", headers={"X-Requested-With": "XMLHttpRequest"})
    assert (answer.status_code, answer["Retry-After"], shut) == (429, "7", ["form"])
    assert not Session.objects.exists()


def test_a_refusal_says_when_to_come_again_in_the_form_that_was_asked_for(client, shut):
    page = client.post("/en/submit/", {"moves": "R"})
    assert (page.status_code, page["Retry-After"], "Back" in page.text) == (429, "7", True)
    script = client.post("/en/submit/", {"moves": "R"}, headers={"Accept": "application/json"})
    assert (script.status_code, script["Retry-After"]) == (429, "7")
    assert script.json()["errors"]["__all__"] == ["Too many requests from your network. Try again in 7 seconds."]


def test_a_larger_board_costs_more_and_a_form_that_sends_a_letter_counts_letters(client, monkeypatch):
    costs = []
    monkeypatch.setattr(rate_limits, "_pass", lambda gate, amount: costs.append((gate.key.partition(":")[0], amount)))
    client.post("/en/editor/", {"pasted": LEVEL, "do": "look"})
    client.post("/en/editor/", {"pasted": "#" * 9_000, "do": "look"})
    client.post("/en/mail/", {"email": "li@example.org"})
    assert costs == [("board", 1), ("board", 3), ("letter", 1)]


def test_staff_may_act_while_their_network_floods_the_site(client, shut):
    client.force_login(User.objects.create_superuser("organiser"))
    assert client.post("/en/editor/", {"pasted": LEVEL, "do": "look"}).status_code == 200
    assert shut == ["board"]
