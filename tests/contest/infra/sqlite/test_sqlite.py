import fcntl
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest
from django.db import OperationalError, connections, transaction

from contest.infra.sqlite import base, files
from contest.infra.sqlite.base import DatabaseWrapper
from contest.infra.sqlite.queue import Queue, QueueTimeout
from tests.contest.patience import wait_until

OPTIONS = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"}


@pytest.fixture(autouse=True)
def _databases_of_their_own(django_db_blocker):
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "db.sqlite3"
    with opened(path) as database, database.cursor() as cursor:
        cursor.execute("CREATE TABLE sent (sender int, number int)")
    return path


@contextmanager
def opened(path):
    """Return this thread's connection to the database at *path*, under the alias "box"."""
    changed = {"NAME": str(path), "OPTIONS": OPTIONS, "ATOMIC_REQUESTS": False}
    connections["box"] = database = DatabaseWrapper(connections.settings["default"] | changed, alias="box")
    database.inc_thread_sharing()
    try:
        yield database
    finally:
        database.close()
        del connections["box"]


def write(database, sender=0, number=0):
    with transaction.atomic(using="box"), database.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM sent")
        cursor.execute("INSERT INTO sent VALUES (%s, %s)", [sender, number])


def stored(path):
    with sqlite3.connect(path) as rows:
        return rows.execute("SELECT count(*) FROM sent").fetchone()[0]


def test_writers_of_a_process_are_served_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr("contest.infra.sqlite.queue.PATIENCE_SECONDS", 60)
    queue, came = Queue(tmp_path / "db"), []
    queue.enter()

    def take(number):
        queue.enter()
        came.append(number)
        queue.leave()

    with ThreadPoolExecutor(8) as threads:
        taken = []
        for number in range(8):
            taken.append(threads.submit(take, number))
            wait_until(lambda: len(queue._waiting) == len(taken))
        queue.leave()
    assert came == list(range(8))


def test_a_writer_queues_again_behind_a_waiting_process(tmp_path, monkeypatch):
    monkeypatch.setattr("contest.infra.sqlite.queue.PATIENCE_SECONDS", 60)
    first, other = Queue(tmp_path / "db"), Queue(tmp_path / "db")  # as two processes have them
    wrote = []

    def write(queue, name):
        queue.enter()
        wrote.append(name)
        queue.leave()

    first.enter()
    with ThreadPoolExecutor(1) as threads, (tmp_path / "db.next").open() as place:
        waiting = threads.submit(write, other, "other")
        wait_until(lambda: not is_free(place))
        first.leave()
        write(first, "first")
        waiting.result(60)
    assert wrote == ["other", "first"]


def is_free(place):
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    fcntl.flock(place, fcntl.LOCK_UN)
    return True


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr("contest.infra.sqlite.queue.PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr("contest.infra.sqlite.queue._STUCK_SECONDS", 30.0)
    for name in ("_BUSY_SECONDS", "_STUCK_BUSY_SECONDS"):
        monkeypatch.setattr(base, name, 0.05)


@pytest.mark.usefixtures("hurried")
def test_a_stalled_writer_times_others_out_and_a_killed_writer_leaves_the_queue(path):
    holder, queue = Queue(path), Queue(path)  # as two processes have them
    holder.enter()
    with pytest.raises(QueueTimeout):
        queue.enter()
    assert queue.is_stuck
    for file in holder._files:  # as the system does when a process ends
        os.close(file)
    queue.enter()
    queue.leave()
    assert not queue.is_stuck


@pytest.mark.usefixtures("hurried")
def test_a_foreign_lock_times_out_and_fails_quickly_the_second_time(path):
    foreign = sqlite3.connect(path, isolation_level=None)
    foreign.execute("BEGIN IMMEDIATE")
    with opened(path) as database:
        with pytest.raises(OperationalError, match="locked"):
            write(database)
        assert database._queue.is_stuck
        foreign.execute("ROLLBACK")
        write(database)
        assert not database._queue.is_stuck
    foreign.close()
    assert stored(path) == 1


@pytest.mark.usefixtures("hurried")
def test_a_statement_outside_a_transaction_queues_too(path):
    queue = Queue(path)
    queue.enter()
    with opened(path) as database, database.cursor() as cursor:
        with pytest.raises(OperationalError, match="locked"):
            cursor.execute("INSERT INTO sent VALUES (1, 1)")
        assert cursor.execute("SELECT count(*) FROM sent").fetchone() == (0,)
        queue.leave()
        cursor.execute("INSERT INTO sent VALUES (1, 1)")


def test_an_error_inside_a_transaction_frees_the_turn(path):
    with opened(path) as database:
        with suppress(ZeroDivisionError), transaction.atomic(using="box"):
            write(database, 1 / 0)
        write(database)
    assert stored(path) == 1


def test_a_read_only_database_is_not_opened_until_it_is_writable(path, monkeypatch):
    """The chaos tests use a disk without write permission; this process may run as root, which can write anywhere."""
    with opened(path) as database:
        monkeypatch.setattr(files.os, "access", lambda *_: False)
        with pytest.raises(OperationalError, match="may not be written to"):
            write(database)
        monkeypatch.undo()
        write(database)
    assert stored(path) == 1


def test_a_database_that_was_moved_away_is_refused_and_not_created_again(path):
    with opened(path) as database:
        write(database)
        path.rename(path.with_name("away.sqlite3"))
        with pytest.raises(OperationalError, match="moved away"):
            write(database)
        database.close_if_unusable_or_obsolete()
        with pytest.raises(OperationalError, match="moved away"), database.cursor():
            pass
    with opened(path) as database, pytest.raises(OperationalError, match="put it back"):
        write(database)
    assert not path.exists()
    path.with_name("away.sqlite3").rename(path)
    with opened(path) as database:
        write(database)
    assert stored(path) == 2


def test_the_database_and_its_folder_are_private(tmp_path, settings, caplog):
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir(mode=0o755)
    path = settings.DATA_DIR / "db.sqlite3"
    path.touch()
    path.chmod(0o644)
    with opened(path) as database, database.cursor() as cursor:
        cursor.execute("CREATE TABLE one (two int)")
        beside = {file.name: file.stat().st_mode & 0o777 for file in settings.DATA_DIR.iterdir()}
        assert set(beside.values()) == {files.PRIVATE_FILE}, beside
    assert settings.DATA_DIR.stat().st_mode & 0o777 == files.PRIVATE_FOLDER
    files.prepare(path)
    assert caplog.text.count("could be read by others") == 2
