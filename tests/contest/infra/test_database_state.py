"""Whether anything was written, by the name of what the database holds."""

import threading

import pytest
from django.db import connection, transaction

from contest.infra import database_state
from contest.models import Banner
from tests import cast

pytestmark = pytest.mark.django_db(transaction=True)


def _write():
    Banner.objects.create(text_en="Hello", shown_from=cast.OPENS)


def _elsewhere(act):
    """Do it in another thread, with a connection of its own."""

    def work():
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_while_nothing_is_written_it_has_one_name():
    before = database_state.name()
    assert before is not None
    list(Banner.objects.all())
    assert database_state.name() == before


def test_whatever_is_written_gives_it_another():
    before = database_state.name()
    _write()
    between = database_state.name()
    Banner.objects.update(text_en="Bye")
    assert len({before, between, database_state.name()}) == 3


def test_what_another_connection_has_written_gives_it_another():
    before = database_state.name()
    _elsewhere(_write)
    assert database_state.name() != before


def test_it_has_none_within_a_transaction():
    with transaction.atomic():
        _write()
        assert database_state.name() is None


def test_what_is_taken_back_was_never_there():
    with transaction.atomic():
        _write()
        transaction.set_rollback(True)
    before = database_state.name()
    assert not Banner.objects.exists()
    assert database_state.name() == before
