"""Selection of the statements that PostgreSQL prepares, and the settings of its sessions."""

import pytest
from django.db import connection

from contest import judging
from contest.judging import claims
from tests import cast

pytestmark = pytest.mark.django_db


def statements_prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return cursor.fetchone()[0]


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="what PostgreSQL prepares")
def test_statements_between_submission_and_verdict_are_prepared_but_not_page_queries(client, during_round):
    """Each query of a page is planned for its own values, however often it runs."""
    for number in range(8):
        cast.send(f"player {number}", "rR")
        judging.judge_until_empty()
    prepared = statements_prepared()
    assert prepared > 5
    for _ in range(8):
        assert client.get("/en/rounds/1/").status_code == 200
    assert statements_prepared() == prepared
    assert connection.connection.prepare_threshold is None


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="what PostgreSQL prepares")
def test_without_the_fast_path_nothing_is_prepared(during_round, settings):
    settings.FAST_PATHS = settings.FAST_PATHS | {"prepared_statements": False}
    before = statements_prepared()
    cast.send("player", "rR")
    judging.judge_until_empty()
    assert statements_prepared() == before


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the settings of PostgreSQL")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jit", "off"),  # compiling a statement costs more than running it
        ("random_page_cost", "1.1"),  # otherwise the hundred players of a ranking are found by a sequential scan
        # A process that stalls in a transaction loses its locks when its claims expire.
        ("idle_in_transaction_session_timeout", f"{claims.LEASE.total_seconds() * 1000:.0f}"),
    ],
)
def test_a_session_has_the_settings_of_the_site(db, name, value):
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting FROM pg_settings WHERE name = %s", [name])
        assert cursor.fetchone() == (value,)
