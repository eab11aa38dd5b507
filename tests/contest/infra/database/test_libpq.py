"""What libpq itself is asked comes out as by Django's cursor; what cannot be asked so is left to the cursor."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from contest.infra.database.compiled_queries import keep_plans
from contest.infra.postgres import libpq
from contest.models import Level

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture(autouse=True)
def _on_postgres():
    if connection.vendor != "postgresql":
        pytest.skip("there is no libpq")


def both(sql, values):
    """The rows by libpq, and by the cursor."""
    with keep_plans():
        told = libpq.ask(sql, values)
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return told.rows, cursor.fetchall()


YEARS = datetime.fromisoformat("0001-01-02"), datetime.fromisoformat("9999-12-30")
values = st.tuples(
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.booleans() | st.none(),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20) | st.none(),
    st.datetimes(*YEARS, timezones=st.just(UTC)) | st.none(),
    st.uuids() | st.none(),
    st.binary(max_size=20),
)


@examples(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(values)
def test_each_kind_of_value_comes_back_as_the_cursor_has_it(row):
    *plain, raw = row
    sql = "SELECT %s::bigint, %s::bool, %s::text, %s::timestamptz, %s::uuid, decode(%s, 'hex'), '100%%s'::varchar"
    told, expected = both(sql, [*plain, raw.hex()])
    assert told == [tuple(map(_as_bytes, expected[0]))] == [(*row, "100%s")]
    assert [type(value) for value in told[0]] == [type(_as_bytes(value)) for value in expected[0]]


def _as_bytes(value):
    return bytes(value) if isinstance(value, memoryview) else value


def test_lists_of_numbers_and_json_are_told_as_the_cursor_tells_them():
    told, expected = both("SELECT n, %s::jsonb FROM unnest(%s::bigint[]) AS n", [Jsonb({"a": [1]}), [3, 1, 2]])
    assert told == expected == [(3, '{"a": [1]}'), (1, '{"a": [1]}'), (2, '{"a": [1]}')]
    assert both("SELECT n FROM unnest(%s::bigint[]) AS n", [[]]) == ([], [])


@pytest.mark.parametrize(("sql", "values"), [("SELECT 1.5::numeric", []), ("SELECT %s::text[]", [["a"]])])
def test_what_is_not_read_or_told_here_is_left_to_the_cursor(sql, values):
    with keep_plans():
        assert libpq.ask(sql, values) is None


def test_outside_of_plans_that_are_kept_and_where_somebody_looks_the_cursor_is_left_to_ask():
    assert libpq.ask("SELECT 1", []) is None
    with keep_plans():
        assert libpq.ask("SELECT 1", []).rows == [(1,)]
        with CaptureQueriesContext(connection):
            assert libpq.ask("SELECT 1", []) is None
        with connection.execute_wrapper(lambda execute, *asked: execute(*asked)):
            assert libpq.ask("SELECT 1", []) is None


@pytest.mark.parametrize(
    ("sql", "values", "error"),
    [
        ("SELECT 1 / %s::int", [0], DataError),
        ("SELECT %s::text", ["\0"], DataError),
        ("INSERT INTO contest_event (kind, key, at, by) VALUES (%s, '', now(), NULL)", ["x"], IntegrityError),
        ("SELECT pg_terminate_backend(pg_backend_pid())", [], OperationalError),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_an_error_is_the_one_that_django_raises(sql, values, error):
    with keep_plans(), pytest.raises(error):
        libpq.ask(sql, values)
    if error is OperationalError:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_together_is_answered_in_its_order_and_begins_a_transaction(during_round):
    questions = [
        ("UPDATE contest_level SET board_version = 9 RETURNING id", []),
        ("SELECT count(*) FROM contest_level WHERE board_version = %s::int", [9]),
        ("SELECT %s::text", ["long " * 60_000]),
    ]
    with keep_plans(), transaction.atomic():
        answers = libpq.ask_all(questions)
        assert answers is not None
        raised, counted, said = answers
        assert len(raised.rows) == counted.rows[0][0] == Level.objects.count() > 0
        assert said.rows == [("long " * 60_000,)]
        assert libpq.ask(*questions[1]) == counted
        transaction.set_rollback(True)
    assert not Level.objects.filter(board_version=9).exists()


@pytest.mark.django_db(transaction=True)
def test_where_one_fails_what_was_asked_with_it_is_taken_back_and_nothing_more_is_asked():
    with keep_plans(), transaction.atomic():
        with pytest.raises(DataError), transaction.atomic():
            libpq.ask_all([("SELECT 1", []), ("SELECT 1 / %s::int", [0]), ("SELECT 2", [])])
        assert libpq.ask("SELECT 1", []).rows == [(1,)]
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            libpq.ask("SELECT 1", [])


@pytest.mark.django_db(transaction=True)
def test_a_session_that_ends_in_the_middle_is_not_used_again():
    with keep_plans(), pytest.raises(OperationalError), transaction.atomic():
        libpq.ask_all([("SELECT pg_terminate_backend(pg_backend_pid())", []), ("SELECT 1", [])])
    connection.close()
    with keep_plans(), transaction.atomic():
        assert libpq.ask("SELECT 1", []).rows == [(1,)]


def test_a_session_keeps_no_more_statements_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(libpq, "_MOST_STATEMENTS", 0)
    with keep_plans():
        assert libpq.ask("SELECT 'another'", []) is None
    rows = libpq.execute(connection.connection, "SELECT %s::text", [UUID(int=1)], prepares=True)
    assert rows == [(b"00000000-0000-0000-0000-000000000001",)]
