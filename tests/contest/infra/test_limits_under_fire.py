"""Several web processes over real HTTP: rate limits hold, and a held lock or pool delays answers by seconds."""

import http.client
import json
import secrets
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta

import psycopg
import pytest
from django.db import connection

from contest.infra import clock
from contest.models import Submission
from tests import cast
from tests.contest.conftest import free_address
from tooling.processes import wait_for
from tooling.site import web_command

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("cluster")]
HEADERS = {"Content-Type": "application/json", "Accept-Language": "en"}


@pytest.fixture
def site(start):
    """Start the site on this test's database with two web processes; call it with environment variables."""

    def serve(**env):
        address = free_address()
        web = start(web_command(address), **{"WEB_WORKERS": "2"} | env)
        wait_for("The site", web, lambda: answers(address), limit=90)
        return address

    return serve


def answers(address):
    with suppress(OSError, http.client.HTTPException):
        return ask(address, "GET", "/healthz")[0] == 200
    return False


def ask(address, method, path, body=None, headers=HEADERS):
    with closing(http.client.HTTPConnection(address.host, address.port, timeout=120)) as connected:
        connected.request(method, path, body, headers)
        answer = connected.getresponse()
        return answer.status, answer.read(), answer.headers.get("Retry-After")


def test_concurrent_new_nicknames_are_accepted_up_to_the_limit_of_their_address(site):
    """Rule 5.9. Each request has another forged address; our proxy has appended the real one."""
    now, real = clock.now(), f"2001:db8:{secrets.token_hex(2)}::1"
    cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    address = site(ADDRESS_PER_MINUTE="10", TRUSTED_PROXIES="127.0.0.0/8")

    def post(number):
        entry = json.dumps({"nickname": f"player {number}", "moves": "rR"})
        request_headers = HEADERS | {"X-Forwarded-For": f"198.51.100.{number}, {real}"}
        status = 503
        while status == 503:  # a busy machine asks to come again, and counts nothing
            status, body, _wait = ask(address, "POST", "/api/v1/submissions/", entry, request_headers)
        return status, json.loads(body).get("code")

    with ThreadPoolExecutor(60) as senders:
        assert Counter(senders.map(post, range(60))) == {(202, None): 10, (429, "quota"): 50}
    assert Submission.objects.count() == 10


def read_all(address):
    """Return the responses to more concurrent readers than there are connections."""
    headers = {"Cookie": "seen=before"}  # requests without a cookie may get a cached page
    with ThreadPoolExecutor(6) as readers:
        answers = list(readers.map(lambda _reader: ask(address, "GET", "/en/rounds/", headers=headers), range(6)))
    return {(status, retry_after) for status, _body, retry_after in answers}


@pytest.fixture
def address(site):
    """Return the address of a site with a round and a pool of two connections."""
    cast.a_round()
    address = site(DATABASE_CONNECTIONS="2", WEB_WORKERS="1")
    assert read_all(address) == {(200, None)}
    return address


def test_a_connection_closed_by_the_server_is_not_reused(address):
    with connection.cursor() as cursor:
        # Wait for each backend to be gone: one that was only told to terminate may still accept a query.
        cursor.execute(
            "SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert cursor.fetchone()[0]
    assert read_all(address) == {(200, None)}


def test_a_page_waits_only_briefly_for_a_locked_table(address):
    parameters = connection.get_connection_params()
    with psycopg.connect(
        **{name: parameters[name] for name in ("host", "port", "user", "dbname") if name in parameters}
    ) as other:
        other.execute("LOCK TABLE contest_round IN ACCESS EXCLUSIVE MODE")
        assert read_all(address) == {(503, "10")}
        assert ask(address, "GET", "/healthz")[0] == 200
    assert read_all(address) == {(200, None)}
