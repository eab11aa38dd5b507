"""Over real HTTP a connection that is gone, and a held lock or pool, delay answers by seconds at most."""

import http.client
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import psycopg
import pytest
from django.db import connection

from tests import cast
from tests.contest.conftest import free_address
from tooling.processes import wait_for
from tooling.site import web_command

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("cluster")]


def answers(address):
    with suppress(OSError, http.client.HTTPException):
        return ask(address, "/healthz")[0] == 200
    return False


def ask(address, path, headers=None):
    with closing(http.client.HTTPConnection(address.host, address.port, timeout=120)) as connected:
        connected.request("GET", path, headers=headers or {})
        answer = connected.getresponse()
        return answer.status, answer.read(), answer.headers.get("Retry-After")


def read_all(address):
    """Return the responses to more concurrent readers than there are connections."""
    headers = {"Cookie": "seen=before"}  # requests without a cookie may get a cached page
    with ThreadPoolExecutor(6) as readers:
        answers = list(readers.map(lambda _reader: ask(address, "/en/rounds/", headers=headers), range(6)))
    return {(status, retry_after) for status, _body, retry_after in answers}


@pytest.fixture
def address(start):
    """Start the site on this test's database with a round and a pool of two connections; return its address."""
    cast.a_round()
    address = free_address()
    web = start(web_command(address), DATABASE_CONNECTIONS="2", WEB_WORKERS="1")
    wait_for("The site", web, lambda: answers(address), limit=90)
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
        assert ask(address, "/healthz")[0] == 200
    assert read_all(address) == {(200, None)}
