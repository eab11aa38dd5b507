from contextlib import contextmanager
from datetime import timedelta
from itertools import product
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from contest import judging, visibility
from contest.celery import tasks
from contest.infra import clock
from contest.judging import receipt_chain
from contest.models import ChainGap, ChainLink, Round, Submission
from contest.visibility import Viewer
from tests import cast, chain, sizes

# The chain waits for all transactions of the cluster: it must not run in parallel with the long ones of the leak crawl.
# Sequences restart in every test, so that the first number leaves no gap below it.
pytestmark = [pytest.mark.django_db(transaction=True, reset_sequences=True), pytest.mark.xdist_group("cluster")]


def _send(*nicknames: str) -> list[Submission]:
    """Create submissions with consecutive numbers after the newest link."""
    sent = [cast.send(nickname, "rR").submission for nickname in nicknames]
    chain.append_all()
    return sent


def _bound() -> QuerySet[ChainLink]:
    return ChainLink.objects.exclude(submission=None)


def test_every_sweep_appends_rejected_and_waiting_submissions(during_round):
    cast.submit("Ada", "l")
    tasks.keep_watch()
    assert _bound().count() == 1
    cast.send("Bo", "rR")
    tasks.keep_watch()
    chain.append_all()
    assert _bound().count() == 2


def test_batches_bind_each_submission_once_in_order(during_round):
    sent = [cast.send(name, "rR").submission for name in ("Ada", "Bo", "Cy")]
    for _ in range(5):
        receipt_chain.append(limit=1)
    assert list(_bound().order_by("position").values_list("submission", flat=True)) == [one.pk for one in sent]


def test_what_was_imported_is_not_in_the_chain(during_round):
    """Rules 3.3, 24.2."""
    receipts = [cast.send(name, "rR") for name in ("Ada", "Bo", "Cy")]
    Submission.objects.filter(pk=receipts[1].submission.pk).update(is_imported=True)
    chain.append_all()
    assert set(_bound().values_list("submission", flat=True)) == {
        receipts[0].submission.pk,
        receipts[2].submission.pk,
    }


def test_a_worker_goes_past_a_missing_number_in_one_turn(during_round, monkeypatch):
    """Rule 24.2. The worker's pause lasts until the parallel tests have ended their older transactions."""

    def wait(_seconds):
        chain.wait_for_other_databases(ChainGap.objects.get().horizon)

    monkeypatch.setattr(receipt_chain, "time", SimpleNamespace(sleep=wait))
    _send("Ada")
    with transaction.atomic():
        cast.send("Bo", "rR")
        transaction.set_rollback(True)
    after = cast.send("Cy", "rR").submission
    receipt_chain.keep_up()
    assert receipt_chain.newest().submission == after


def test_the_link_shown_during_a_round_is_the_newest_and_afterwards_the_rounds_last(during_round, client):
    address = "/api/v1/rounds/1/chain/"
    with clock.set_to(cast.OPENS - timedelta(hours=1)):
        assert client.get(address).status_code == 404
    assert client.get(address).json() == {"round": 1, "number": None, "link": None}
    receipt_chain.append_all()
    assert client.get(address).json() == {"round": 1, "number": None, "link": receipt_chain.newest().link}
    (sent,) = _send("Ada")
    shown = {"round": 1, "number": sent.pk, "link": receipt_chain.newest().link}
    assert client.get(address).json() == shown
    later = cast.AFTER + timedelta(days=30)
    with clock.set_to(later):
        cast.a_round(2, opens_at=later - timedelta(days=1), closes_at=later + timedelta(days=1))
        _send("Bo")
        assert client.get(address).json() == shown
        assert client.get("/api/v1/rounds/2/chain/").json()["number"] == receipt_chain.newest().number


@contextmanager
def _elsewhere():
    """Yield a cursor of another connection, in a transaction that is rolled back unless the test commits it."""
    other = connection.get_new_connection(connection.get_connection_params())
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            yield cursor
    finally:
        other.rollback()  # close() alone releases the locks only when the server notices
        other.close()


@contextmanager
def _under_way():
    """A transaction with a number drawn and no submission stored yet; yield the function that stores it."""
    with _elsewhere() as other:
        other.execute("SELECT pg_current_xact_id()")
        other.execute("SELECT nextval(pg_get_serial_sequence('contest_submission', 'number'))")
        number = other.fetchone()[0]
        columns = [field.column for field in Submission._meta.concrete_fields]
        changed = {"number": str(number), "receipt_id": "'under way'", "sha256": f"'{'b' * 64}'"}
        values = ", ".join(changed.get(column, f'"{column}"') for column in columns)

        def finish():
            names = ", ".join(f'"{column}"' for column in columns)
            other.execute(
                f"INSERT INTO contest_submission ({names}) SELECT {values} FROM contest_submission "
                "ORDER BY number LIMIT 1"
            )
            other.execute("COMMIT")

        yield finish


@pytest.mark.postgres
class TestOnPostgreSQL:
    def test_a_number_still_under_way_is_waited_for(self, during_round):
        _send("Ada")
        with _under_way() as finish:
            cast.send("Cy", "rR")
            chain.append_all()
            assert (_bound().count(), ChainGap.objects.count()) == (1, 1)
            finish()
        chain.append_all()
        bound = _bound().order_by("position").values_list("submission__number", flat=True)
        assert list(bound) == list(Submission.objects.order_by("number").values_list("number", flat=True))

    def test_a_worker_appends_nothing_while_another_holds_the_chain_lock(self, during_round):
        cast.send("Ada", "rR")
        with _elsewhere() as other:
            other.execute("SELECT pg_advisory_xact_lock(%s)", [receipt_chain._CHAIN_LOCK])
            chain.append_all()
            assert not _bound().exists()
        chain.append_all()
        assert _bound().count() == 1

    def test_a_gap_recorded_in_another_cluster_is_checked_again(self, during_round):
        _send("Ada")
        with _under_way():
            cast.send("Cy", "rR")
            ChainGap.objects.create(number=2**62, horizon=2**62)
            chain.append_all()
        chain.append_all()
        assert _bound().count() == 2


def test_a_round_without_verdicts_to_come_is_complete_and_not_counted_again_until_it_is_opened_again(during_round):
    """Rule 24.1: viewing a round with a million submissions must not read each of them."""
    receipt_chain.note_complete(cast.CLOSES + timedelta(minutes=1))  # not all that arrived in time may be stored yet
    cast.send("Ada", "rR")
    receipt_chain.append_all()
    receipt_chain.note_complete(cast.AFTER)
    during_round.refresh_from_db()
    assert during_round.complete_at is None
    with clock.set_to(cast.AFTER):
        judging.judge_until_empty()
        receipt_chain.append_all()
        receipt_chain.note_complete(cast.AFTER)
    during_round.refresh_from_db()
    assert during_round.complete_at == cast.AFTER

    cast.enter(during_round, "Bo", 2, 1, at=cast.DURING)  # not in the chain, which is not checked again
    assert visibility.archived_rounds(Viewer(), cast.AFTER).exists()
    again = cast.AFTER + timedelta(days=2)
    Round.objects.update(make_up_opens_at=again, make_up_closes_at=again + timedelta(hours=1))
    assert not visibility.archived_rounds(Viewer(), again + timedelta(hours=2)).exists()


@pytest.mark.parametrize("is_chained", sizes.cases([True], [False]))
def test_the_check_of_one_round_agrees_with_the_list_of_all(during_round, is_chained):
    """Rules 3.10, 7.10, 24.1."""
    cast.submit("Ada", "rR")
    if is_chained:
        receipt_chain.append_all()

    def after(days, hours=0):
        return None if days is None else cast.CLOSES + timedelta(days=days, hours=hours)

    for complete, again, cancelled in product((None, 1, 4), (None, 2), (None, -1, 1)):
        times = {"make_up_opens_at": after(again), "make_up_closes_at": after(again, hours=1)}
        Round.objects.update(complete_at=after(complete), cancelled_at=after(cancelled), **times)
        round_ = Round.objects.get()
        for hours in (-1, 0, 25, 49, 100):
            at = cast.CLOSES + timedelta(hours=hours)
            listed = visibility.archived_rounds(Viewer(), at).exists()
            assert visibility.has_archive(Viewer(), round_, at) == listed, (complete, again, cancelled, hours)
