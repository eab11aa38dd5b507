import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.utils import translation

from contest import judging, models
from contest.celery import tasks
from contest.infra import clock, rate_limits
from contest.outreach import webhooks
from contest.players import api_tokens
from contest.submissions import Entry, Receipt, Sent, accept, accept_batch, at_once
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
    return accept(Entry(nickname, moves, **fields), door=models.Door.API, address=address)


def test_a_network_stores_no_more_bytes_than_its_amount_under_any_names_and_addresses(later, during_round):
    send("one", LONG)
    refusal = cast.refused(lambda: send("two", LONG, NEIGHBOUR))
    assert (refusal.code, refusal.status) == ("quota", 429)
    assert refusal.reason.startswith("Your network has sent as much as this site accepts in a day.")
    with translation.override("zh-hans"):
        assert not cast.refused(lambda: send("two", LONG, NEIGHBOUR)).reason.isascii()
    send("short", "rR")
    send("elsewhere", LONG, ELSEWHERE)
    assert set(models.Player.objects.values_list("nickname", flat=True)) == {"one", "short", "elsewhere"}
    later(refusal.retry_after + 2_000)  # the short one has used some as well
    send("two", LONG, NEIGHBOUR)


def test_moves_count_by_their_steps_if_counts_make_their_text_shorter(later, during_round):
    long = "30000(rl)rR"
    send("one", long)
    judging.judge_until_empty()
    assert len(models.Submission.objects.get().lurd) == 60_002
    assert cast.refused(lambda: send("two", long, NEIGHBOUR)).status == 429


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
    settings.STORED_BYTES_PER_DAY, settings.ADDRESS_PER_MINUTE = 10, 1_000
    yield
    assert not any(
        model.objects.exists()
        for model in (models.Submission, models.LevelResult, models.Proposal, models.Question, models.Search)
    )


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
    (refusal,) = accept_batch([Sent(Entry("Ann", "rR"), address=ADDRESS)], door=models.Door.API)
    assert refusal.status == 429
    form = "application/x-www-form-urlencoded"
    older = client.post("/submit_result.php", android("Ann", "rR"), content_type=form)
    assert older.content.decode().startswith("Please wait ")  # in ASCII, as they expect


def test_solutions_to_collections_and_solver_questions_are_refused(full):
    cast.a_collection()
    level = models.CollectedLevel.objects.get(place=1)
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
    token = api_tokens.make(player, None, cast.DURING, scopes=[models.Scope.WEBHOOKS]).text
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    assert post_json(client, "/api/v1/webhooks/", wanted).status_code == 429
    assert not models.Webhook.objects.exists()


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
    assert models.Search.objects.count() == 1


STRANGER, OWNER = "192.0.2.7", "198.51.100.7"


def sent(moves: list[str], address: str) -> list[Receipt | Exception]:
    entries = [Sent(Entry("Old", text), address=address) for text in moves]
    return accept_batch(entries, door=models.Door.LEGACY)


def are_accepted(answers: list[Receipt | Exception]) -> list[bool]:
    return [isinstance(answer, Receipt) for answer in answers]


def junk(count: int, start: int = 0) -> list[str]:
    return ["r" * number for number in range(start + 1, start + count + 1)]


@pytest.mark.parametrize("size", [1, 10], ids=["alone", "batch"])
def test_a_strangers_texts_do_not_lock_the_owner_out(during_round, size):
    """The attack: ten junk texts a minute under a name without an address, which anybody may use."""
    for start in range(0, 10, size):
        assert all(are_accepted(sent(junk(size, start), STRANGER)))
    assert are_accepted(sent(junk(1, 10), STRANGER)) == [False]
    assert are_accepted(sent(["rR", "rlrR"], OWNER)) == [True, True]
    assert models.Player.objects.get().is_open


def test_quotas_of_a_round_and_turns_count_by_network_too(during_round, settings):
    settings.QUOTA_PER_ROUND, settings.QUOTA_BYTES_PER_ROUND, settings.MOST_AHEAD_SECONDS = 3, 20_000, 1e-6
    assert are_accepted(sent(junk(3), STRANGER)) == [True, False, False]  # its turn is ahead
    settings.MOST_AHEAD_SECONDS = 100
    assert are_accepted(sent(junk(3), STRANGER)) == [True, True, True]
    assert are_accepted(sent(junk(1, 3), STRANGER)) == [False]
    assert are_accepted(sent(["r" * 17_000], OWNER)) == [True]
    assert are_accepted(sent(["r" * 17_001], OWNER)) == [False]


def test_the_gate_counts_senders_under_an_unclaimed_name(during_round, monkeypatch):
    """They prove nothing, like senders under new names."""
    passed: list[str] = []
    monkeypatch.setattr("contest.submissions.limits.pass_gate", passed.append)
    sent(junk(2), STRANGER)
    sent(junk(1, 2), OWNER)
    assert passed == [STRANGER, STRANGER, OWNER]


def test_networks_are_hashed_only_under_unclaimed_names_and_deleted_after_thirty_days(during_round):
    sent(junk(1), STRANGER)
    cast.send("New", "rR")
    hashed, none = models.Submission.objects.order_by("number").values_list("open_network", flat=True)
    assert (len(hashed), STRANGER in hashed, none) == (32, False, "")
    for days, left in ((29, hashed), (30, "")):
        with clock.set_to(cast.DURING + timedelta(days=days)):
            tasks.advance()
        assert models.Submission.objects.earliest("number").open_network == left
