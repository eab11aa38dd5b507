"""A lock that somebody holds, or connections that are all taken, cost an answer of some seconds and never the site."""

import http.client
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
from django.db import connection

from contest.infra.postgres import waits
from tests import cast
from tooling.processes import wait_for
from tooling.site import Address, web_command

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("cluster")]


def get(port, path):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connected:
        connected.request("GET", path, headers={"Cookie": "seen=before"})  # who has none may get what is kept
        answer = connected.getresponse()
        answer.read()
        return answer.status, answer.headers.get("Retry-After")


def is_up(port):
    try:
        return get(port, "/healthz")[0] == 200
    except (OSError, http.client.HTTPException):  # one that asks a free port may reach itself
        return False


@pytest.fixture
def site(start):
    """The port of a site with a round and a pool of two connections."""
    cast.a_round()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    web = start(web_command(Address("127.0.0.1", port)), DATABASE_CONNECTIONS="2")
    wait_for("The site", web, lambda: is_up(port), limit=90)
    assert get(port, "/en/rounds/")[0] == 200
    return port


def test_a_connection_that_the_server_has_ended_is_given_to_no_reader(site):
    with ThreadPoolExecutor(6) as readers:
        for _ in range(3):
            with connection.cursor() as cursor:
                # Waiting for each to be gone: whoever is only told to go may still be asked something.
                cursor.execute(
                    "SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                assert cursor.fetchone()[0]
            assert set(readers.map(lambda _: get(site, "/en/rounds/"), range(6))) == {(200, None)}


def test_a_locked_table_keeps_no_page_waiting_for_long(site):
    parameters = connection.get_connection_params()
    with psycopg.connect(
        **{name: parameters[name] for name in ("host", "port", "user", "dbname") if name in parameters}
    ) as other:
        other.execute("LOCK TABLE contest_round IN ACCESS EXCLUSIVE MODE")
        begin = time.monotonic()
        with ThreadPoolExecutor(6) as readers:  # more than there are connections
            answers = set(readers.map(lambda _: get(site, "/en/rounds/"), range(6)))
        assert answers == {(503, "10")}
        assert time.monotonic() - begin < waits.LOCK_SECONDS + waits.POOL_SECONDS + 15
        assert is_up(site)
    assert get(site, "/en/rounds/")[0] == 200
