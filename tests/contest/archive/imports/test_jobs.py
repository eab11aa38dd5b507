from datetime import timedelta
from unittest.mock import DEFAULT, Mock

import pytest
from django.contrib.auth.models import User
from django.db import connection

from contest.archive.imports import importer, jobs
from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.models import Rating, Round, RoundImport
from tests import cast
from tests.contest.archive.imports.test_csv_import import TABLES

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.clock(cast.AFTER)]
State = RoundImport.State


def brought() -> RoundImport:
    files = {name: content.encode() for name, content in TABLES.items()}
    return jobs.start(files, at=cast.AFTER, by=User.objects.create(username="organiser"))


def checked() -> RoundImport:
    job = brought()
    jobs.work_on(job)
    assert jobs.confirm(job, job.asked_by)
    return job


def current() -> RoundImport:
    return RoundImport.objects.get()


def test_a_check_holds_no_lock():
    """On SQLite a transaction locks the whole database, and all submissions would wait for it."""
    job, held = brought(), []

    def note(execute, sql, params, many, context):
        if context["connection"].in_atomic_block or not (sql.startswith("SELECT") or "roundimport" in sql):
            held.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        jobs.work_on(job)
    assert (current().state, current().total, held) == (State.CHECKED, 2, [])


def test_each_round_and_the_ratings_are_transactions_of_their_own():
    seen = []
    checked()
    jobs.work_until_empty(lambda: seen.append((Round.objects.count(), connection.in_atomic_block)))
    assert seen == [(1, False), (2, False), (2, False)]
    assert (current().state, current().done) == (State.DONE, 2)


def test_another_worker_continues_after_the_last_round_that_is_stored(monkeypatch):
    checked()
    monkeypatch.setattr(importer, "store", Mock(wraps=importer.store, side_effect=[DEFAULT, KeyboardInterrupt]))
    with pytest.raises(KeyboardInterrupt):
        jobs.work_until_empty()
    monkeypatch.undo()
    assert (current().done, list(Round.objects.values_list("number", flat=True))) == (1, [14])
    with clock.set_to(cast.AFTER + 2 * jobs.LEASE):
        jobs.work_until_empty()
    assert (current().state, current().done, Rating.objects.values("round").distinct().count()) == (State.DONE, 2, 2)


def test_an_import_ended_by_the_organiser_keeps_and_rates_the_rounds_it_has():
    job = checked()
    jobs.work_until_empty(lambda: jobs.stop(job))
    jobs.work_until_empty()
    assert (current().state, current().done, current().is_unfinished) == (State.DONE, 1, True)
    assert set(Rating.objects.values_list("round__number", flat=True)) == {14}


def test_a_round_that_another_import_stored_first_ends_the_import_with_the_reason():
    checked()
    cast.a_round(15, opens_at=cast.OPENS - timedelta(days=300), closes_at=cast.OPENS - timedelta(days=290))
    jobs.work_until_empty()
    assert (current().done, current().faults) == (1, ["rounds.csv: round 15 already exists."])


def fail_for_good():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Queue, "prolong", Mock(side_effect=ZeroDivisionError))
        for attempt in range(jobs.MOST_ATTEMPTS):
            with clock.set_to(cast.AFTER + 2 * attempt * jobs.LEASE), pytest.raises(ZeroDivisionError):
                jobs.work_until_empty()
        with clock.set_to(cast.AFTER + 2 * jobs.MOST_ATTEMPTS * jobs.LEASE):
            jobs.work_until_empty()


def test_an_import_and_an_undo_that_fail_for_good_can_be_undone(monkeypatch):
    job = checked()
    monkeypatch.setattr(importer, "rate", lambda _numbers: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        jobs.work_until_empty()
    RoundImport.objects.update(claim_token=None, attempts=0)
    fail_for_good()
    assert (current().state, current().is_undoable) == (State.FAILED, True)
    assert jobs.undo_import(current(), job.asked_by) == []
    fail_for_good()
    assert (current().is_undoable, current().faults[0][:8]) == (True, "The undo")
    jobs.undo_import(current(), job.asked_by)
    jobs.work_until_empty()
    assert (current().state, Round.objects.exists()) == (State.UNDONE, False)


def test_an_import_that_no_worker_survives_keeps_no_tables():
    brought()
    RoundImport.objects.update(attempts=jobs.MOST_ATTEMPTS)
    jobs.work_until_empty()
    assert (current().state, bytes(current().data)) == (State.FAILED, b"")


def test_old_imports_are_deleted_with_their_files():
    brought()
    jobs.forget_old(cast.AFTER + timedelta(days=30))
    assert current().is_busy
    jobs.work_until_empty()
    jobs.forget_old(cast.AFTER + timedelta(days=30))
    assert not RoundImport.objects.exists()
