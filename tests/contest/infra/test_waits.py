"""A held lock or an exhausted connection pool delays a response by some seconds and never blocks the site."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection, connections

from contest.infra.postgres import waits
from tests import cast
from tests.contest.infra.test_limits_under_fire import ask, site

__all__ = ["site"]  # a fixture
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("cluster")]


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


@pytest.mark.parametrize("engine", ["contest.infra.postgres", "django.db.backends.postgresql", "contest.infra.sqlite"])
def test_either_engine_of_postgresql_has_timeouts_and_no_other(engine, monkeypatch):
    database = {"ENGINE": engine, "OPTIONS": {}}
    monkeypatch.setitem(connections.settings, "default", database)
    waits.set_timeouts()
    assert ("options" in database["OPTIONS"]) is ("postgres" in engine)
