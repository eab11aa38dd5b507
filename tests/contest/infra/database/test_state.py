import threading

import pytest
from django.db import connection, transaction

from contest.infra.database import state as database_state
from contest.models import Banner
from tests import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _write():
    Banner.objects.create(text_en="Hello", shown_from=cast.OPENS)


def stays(act):
    """Return whether the version stays the same; on PostgreSQL at some time, as parallel tests write to the cluster."""

    def is_same():
        before = database_state.name()
        act()
        return database_state.name() == before

    return any(is_same() for _time in range(50 if connection.vendor == "postgresql" else 1))


def test_the_state_keeps_its_name_while_nothing_is_written():
    assert database_state.name() is not None
    assert stays(lambda: list(Banner.objects.all()))


def test_every_write_changes_the_name_also_by_another_connection():
    before = database_state.name()
    _write()
    between = database_state.name()
    Banner.objects.update(text_en="Bye")
    after = database_state.name()
    thread = threading.Thread(target=lambda: (_write(), connection.close()))
    thread.start()
    thread.join()
    assert len({before, between, after, database_state.name()}) == 4


def test_a_transaction_has_no_name_and_a_rolled_back_write_does_not_change_it():
    with transaction.atomic():
        _write()
        assert database_state.name() is None
        transaction.set_rollback(True)
    assert stays(Banner.objects.exists)
    assert not Banner.objects.exists()


def test_a_replaced_file_has_another_name(monkeypatch, tmp_path):
    if connection.vendor != "sqlite":
        pytest.skip("there is no file")
    database, other = tmp_path / "db.sqlite3", tmp_path / "copy.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(database))
    database_state.forget()
    database.touch()
    before = database_state.name()
    assert before is not None
    assert database_state.name() == before
    other.touch()
    other.replace(database)
    assert database_state.name() not in {before, None}
    database_state.forget()
