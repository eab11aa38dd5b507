"""A lock that somebody holds, or connections that are all taken, cost an answer of some seconds and never the site."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection

from tests import cast
from tests.contest.infra.test_limits_under_fire import ask, site

__all__ = ["site"]  # a fixture
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("cluster")]


def read_all(address):
    """What more readers at once than there are connections are answered."""
    headers = {"Cookie": "seen=before"}  # who has none may get what is kept
    with ThreadPoolExecutor(6) as readers:
        answers = list(readers.map(lambda _reader: ask(address, "GET", "/en/rounds/", headers=headers), range(6)))
    return {(status, retry_after) for status, _body, retry_after in answers}


@pytest.fixture
def address(site):
    """That of a site with a round and a pool of two connections."""
    cast.a_round()
    address = site(DATABASE_CONNECTIONS="2", WEB_WORKERS="1")
    assert read_all(address) == {(200, None)}
    return address


def test_a_connection_that_the_server_has_ended_is_given_to_no_reader(address):
    with connection.cursor() as cursor:
        # Waiting for each to be gone: whoever is only told to go may still be asked something.
        cursor.execute(
            "SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert cursor.fetchone()[0]
    assert read_all(address) == {(200, None)}


def test_a_locked_table_keeps_no_page_waiting_for_long(address):
    parameters = connection.get_connection_params()
    with psycopg.connect(
        **{name: parameters[name] for name in ("host", "port", "user", "dbname") if name in parameters}
    ) as other:
        other.execute("LOCK TABLE contest_round IN ACCESS EXCLUSIVE MODE")
        assert read_all(address) == {(503, "10")}
        assert ask(address, "GET", "/healthz")[0] == 200
    assert read_all(address) == {(200, None)}
