"""Bytes and judging seconds that a network may use per day (rule 5.9)."""

import json
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.utils import translation

from contest.infra import rate_limits
from contest.models import (
    CollectedLevel,
    Door,
    LevelResult,
    Player,
    Proposal,
    Question,
    Scope,
    Search,
    Submission,
    Webhook,
)
from contest.outreach import webhooks
from contest.players import api_tokens
from contest.submissions import Entry, accept, accept_batch, at_once
from contest.submissions.acceptance import Sent
from contest.vetting import asking
from contest.visibility import Viewer
from tests import cast
from tests.contest.infra.test_rate_limits import ADDRESS, set_clock_on
from tests.legacy.conftest import android

pytestmark = pytest.mark.django_db
NEIGHBOUR, ELSEWHERE = "203.0.113.200", "198.51.100.7"
LONG = "r" * 60_000


@pytest.fixture(params=["with Redis", "without Redis"])
def later(request, settings, monkeypatch):
    """Return a function that moves time on; the amounts are counted by Redis, or by this process."""
    settings.STORED_BYTES_PER_DAY, settings.JUDGED_SECONDS_PER_DAY = 100_000, 1_000_000
    monkeypatch.setattr(rate_limits, "_amounts", rate_limits._Amounts())
    if request.param == "with Redis":
        request.getfixturevalue("limits")
        settings.ADDRESS_PER_MINUTE = 1_000
        return set_clock_on
    monkeypatch.setattr(rate_limits.breaker, "rests_until", float("inf"))
    now = [1_000_000.0]
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return lambda seconds: now.__setitem__(0, now[0] + seconds)


def send(nickname, moves="rR", address=ADDRESS, **fields):
    return accept(Entry(nickname, moves, **fields), door=Door.API, address=address)


def test_a_network_stores_no_more_bytes_than_its_amount_under_any_names_and_addresses(later, during_round):
    send("one", LONG)
    refusal = cast.refused(lambda: send("two", LONG, NEIGHBOUR))
    assert (refusal.code, refusal.status) == ("quota", 429)
    assert refusal.reason.startswith("Your network has sent as much as this site accepts in a day.")
    with translation.override("zh-hans"):
        assert not cast.refused(lambda: send("two", LONG, NEIGHBOUR)).reason.isascii()
    send("short", "rR")
    send("elsewhere", LONG, ELSEWHERE)
    assert set(Player.objects.values_list("nickname", flat=True)) == {"one", "short", "elsewhere"}
    later(refusal.retry_after + 2_000)  # the short one has used some as well
    send("two", LONG, NEIGHBOUR)


def test_a_network_uses_no_more_seconds_of_the_judge_than_its_amount(later, during_round, settings):
    settings.JUDGED_SECONDS_PER_DAY = 0.05
    send("one", LONG)
    assert cast.refused(lambda: send("two", LONG, NEIGHBOUR)).status == 429
    trial = at_once.Trial(LONG)
    assert cast.refused(lambda: at_once.judge(trial, viewer=Viewer(), at=cast.DURING, address=ADDRESS)).status == 429


def test_what_is_refused_or_sent_again_costs_nothing(later, during_round, settings):
    settings.STORED_BYTES_PER_DAY = 130_000
    claim = send("one", LONG).claim
    for _again in range(5):
        later(1)  # for the turn of the address
        assert not send("one", LONG, claim=claim).is_new
        assert cast.refused(lambda: send("one", LONG, claim="wrong")).code == "name_taken"
    send("one", LONG + "r", claim=claim)


@pytest.fixture
def full(limits, settings, during_round):
    """A network that has used up its bytes; nothing is stored for it any more."""
    settings.STORED_BYTES_PER_DAY, settings.ADDRESS_PER_MINUTE = 10, 1_000
    yield
    assert not any(model.objects.exists() for model in (Submission, LevelResult, Proposal, Question, Search))


def post_json(client, path, payload):
    return client.post(path, json.dumps(payload), content_type="application/json")


def test_web_form_api_batch_and_older_programs_refuse_with_429_and_words(full, client):
    entry = {"nickname": "Ann", "moves": "rR"}
    words = "Your network has sent as much"
    page = client.post("/en/submit/", entry)
    assert (page.status_code, words in page.content.decode()) == (429, True)
    answer = post_json(client, "/api/v1/submissions/", entry)
    assert (answer.status_code, words in answer.json()["detail"]) == (429, True)
    assert answer["Retry-After"]
    batch = post_json(client, "/api/v1/submissions/", {"submissions": [entry]}).json()["results"]
    assert [item["status"] for item in batch] == [429]
    (refusal,) = accept_batch([Sent(Entry("Ann", "rR"), address=ADDRESS)], door=Door.API)
    assert refusal.status == 429
    form = "application/x-www-form-urlencoded"
    older = client.post("/submit_result.php", android("Ann", "rR"), content_type=form)
    assert older.content.decode().startswith("Please wait ")  # in ASCII, as they expect


def test_solutions_to_collections_and_solver_questions_are_refused(full):
    cast.a_collection()
    level = CollectedLevel.objects.get(place=1)
    assert cast.refused(lambda: at_once.accept_collected(Entry("Ann", "rR"), level, address=ADDRESS)).status == 429
    question, asker = asking.Question(cast.CORNER), asking.Asker(Viewer(), ADDRESS)
    assert cast.refused(asking.ask, question, asker, at=cast.AFTER).status == 429


def test_webhooks_are_refused_on_their_page_and_by_the_api(limits, settings, during_round, client):
    """Deliveries are stored for each of them, under any names (rule 5.9)."""
    player = send("Ann").submission.player
    settings.STORED_BYTES_PER_DAY = webhooks.STORED_BYTES - 1
    cookie = signing.dumps({str(player.pk): cast.claim_of("Ann")}, salt="claims")
    client.cookies[settings.CLAIMS_COOKIE_NAME] = cookie
    wanted = {"url": "https://hook.example/", "events": ["final"]}
    assert client.post("/en/me/webhooks/", {"player": player.pk, **wanted}).status_code == 429
    token = api_tokens.make(player, None, cast.DURING, scopes=[Scope.WEBHOOKS]).text
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    assert post_json(client, "/api/v1/webhooks/", wanted).status_code == 429
    assert not Webhook.objects.exists()


def test_a_network_has_no_more_proposals_vetted_than_its_seconds_of_a_day(limits, settings, client):
    """Vetting one takes a minute of the solver, which vets the organisers' levels in the same order."""
    settings.JUDGED_SECONDS_PER_DAY = 90
    client.force_login(User.objects.create_user("ann"))
    statuses = []
    for blanks in range(1, 3):
        board = f"####{'#' * blanks}###\n#@ ${' ' * blanks}.#\n####{'#' * blanks}###"
        page = client.post("/en/propose/", {"pasted": f"{board}\n\n{'r' * 20}"})
        given = {"do": "send", "text": board, "solution": "r" + "R" * (blanks + 1), "title": "A", "author": "A"}
        statuses.append(client.post(page["Location"], {**given, "licence": "cc0", "version": 1}).status_code)
    assert statuses == [302, 429]
    assert Search.objects.count() == 1
