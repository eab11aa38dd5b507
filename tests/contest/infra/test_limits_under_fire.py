"""The limits through real HTTP: several web processes, many senders at once, forged headers."""

import http.client
import json
import secrets
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Submission
from tests import cast
from tooling.processes import wait_for
from tooling.site import Address, web_command

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("cluster")]

HEADERS = {"Content-Type": "application/json", "Accept-Language": "en"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def site(start):
    """The site on this test's database, with two web processes. Call it with variables of the environment."""

    def serve(**env):
        port = free_port()
        web = start(web_command(Address("127.0.0.1", port)), WEB_WORKERS="2", **env)
        wait_for("The site", web, lambda: answers(port), limit=60)
        return port

    return serve


def answers(port):
    with suppress(OSError, http.client.HTTPException):  # one that asks a free port may reach itself
        return ask(port, "GET", "/healthz")[0] == 200
    return False


def ask(port, method, path, body=None, headers=HEADERS):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connected:
        connected.request(method, path, body, headers)
        answer = connected.getresponse()
        return answer.status, answer.read(), answer.headers.get("Retry-After")


def post(port, entry, **headers):
    status, body, retry_after = ask(port, "POST", "/api/v1/submissions/", json.dumps(entry), HEADERS | headers)
    return status, json.loads(body), retry_after


def post_all(port, entries, real=""):
    """Send *entries* at once, each with another forged address, to which a proxy of ours has added the *real* one."""
    with ThreadPoolExecutor(200) as senders:
        forged = [{"X-Forwarded-For": f"198.51.100.{number}{real}"} for number in range(len(entries))]
        return list(senders.map(lambda entry, headers: post(port, entry, **headers), entries, forged))


@pytest.fixture
def _running_round():
    now = clock.now()
    cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))


@pytest.mark.usefixtures("_running_round")
def test_of_200_posts_at_once_a_player_gets_exactly_ten_through(site):
    """Rule 5.9."""
    port = site()
    _, first, _ = post(port, {"nickname": "player", "moves": "r"})
    entries = [{"nickname": "player", "moves": "r" * number, "claim": first["claim"]} for number in range(2, 202)]
    answers = post_all(port, entries)
    assert Counter(status for status, _, _ in answers) == {202: 9, 429: 191}
    refused = [(body["code"], int(wait) in range(1, 62)) for status, body, wait in answers if status == 429]
    assert set(refused) == {("quota", True)}
    assert Submission.objects.count() == 10


@pytest.mark.usefixtures("_running_round")
def test_of_200_new_nicknames_at_once_exactly_the_limit_of_their_address_comes_in(site):
    """Rule 5.9."""
    port = site(ADDRESS_PER_MINUTE="10", TRUSTED_PROXIES="127.0.0.1")
    entries = [{"nickname": f"player {number}", "moves": "rR"} for number in range(200)]
    answers = post_all(port, entries, real=f", 2001:db8:{secrets.token_hex(2)}::1")
    assert Counter(status for status, _, _ in answers) == {202: 10, 429: 190}
    assert {body["code"] for status, body, _ in answers if status == 429} == {"quota"}
    assert Submission.objects.count() == 10


@pytest.mark.usefixtures("_running_round")
def test_the_same_text_200_times_at_once_is_one_submission_with_one_receipt(site):
    """Rule 5.6."""
    port = site()
    _, first, _ = post(port, {"nickname": "player", "moves": "rR"})
    answers = post_all(port, [{"nickname": "player", "moves": "rR", "claim": first["claim"]}] * 200)
    assert {(status, body["id"]) for status, body, _ in answers} == {(202, first["id"])}
    assert Submission.objects.count() == 1
