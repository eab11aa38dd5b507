from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import psycopg
import pytest
from django.db import DatabaseError, InternalError, OperationalError, connection, connections, transaction
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from contest.infra import clock
from contest.models import Door, Player, Round, Submission
from contest.submissions import Entry, Postponed, Receipt, Refused, Sent, accept, accept_all, accept_batch, acceptance
from contest.submissions.store import Store
from tests import cast
from tests.contest.test_at_once import of_a_thread, until_somebody_waits

KEY = "a key that nobody guesses "


@pytest.fixture
def crowd(during_round, settings):
    settings.QUOTA_PER_SECONDS, settings.QUOTA_PER_ROUND = {60: 4, 3_600: 6}, 5
    settings.QUOTA_BYTES_PER_ROUND = 40_000
    claims = {
        name: cast.send(name, "r", country="cn", idempotency_key=f"{name}'s").claim for name in ("Ann", "Bo", "Cy")
    }
    merged = cast.send("Old", "rr", idempotency_key="old").submission.player
    cast.merge(merged, Player.objects.get(nickname="Cy"), None, reason="the same")
    return claims


NAMES = ("Ann", "ann", "Bo", "Cy", "Old", "new", "nеw", "NEW", "n-ew", "other", "admin", "A\u200bnn")
entries = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from(["r", "rr", "rR", "rrR", "l" * 17_000, "l" * 17_001]),
        st.fixed_dictionaries(
            {},
            optional={
                "idempotency_key": st.sampled_from(["Ann's", "1", KEY, f"{KEY}too"]),
                "country": st.sampled_from(["cn", "fr", "no country"]),
                "email": st.just("me@example.org"),
                "slot": st.sampled_from(["main", "extra", "extra2"]),
                "round": st.sampled_from([1, 2]),
                "claim": st.just("wrong"),
            },
        ),
    ),
    min_size=1,
    max_size=10,
)


def build_entries(claims, sent):
    by_name = {"ann": "Ann", "Old": "Cy"}
    return [
        Entry(name, moves, **{"claim": claims.get(by_name.get(name, name)) or "", **values})
        for name, moves, values in sent
    ]


def outcome_of(answer):
    if isinstance(answer, Refused):
        return answer.code, answer.reason, answer.status, answer.field, answer.retry_after
    row = answer.submission
    return row.received_at, row.turn_at, row.sha256, row.player.nickname, answer.is_new, bool(answer.claim)


def stored_rows():
    fields = ("player__nickname", "sent_as__nickname", "sha256", "idempotency_key", "slot_named", "turn_at", "cost")
    players = Player.objects.order_by("pk").values_list("nickname", "country", "email")
    return list(Submission.objects.order_by("number").values_list(*fields)), sorted(players)


def run_and_roll_back(act):
    with transaction.atomic():
        answers = [outcome_of(answer) for answer in act()]
        left = stored_rows()
        transaction.set_rollback(True)
    return answers, left


def accept_alone(entry):
    try:
        return accept(entry, door=Door.API)
    except Refused as refusal:
        return refusal


@examples(
    max_examples=examples.default.max_examples * 2 // 5, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sent=entries)
def test_a_batch_gets_the_same_answers_and_rows_as_separate_submissions(crowd, sent):
    """Rules 5.5, 5.6, 5.9, 5.10: whether it came in one request or in several."""
    list_ = build_entries(crowd, sent)
    alone = run_and_roll_back(lambda: [accept_alone(entry) for entry in list_])
    assert run_and_roll_back(lambda: accept_all(list_, door=Door.API)) == alone
    assert run_and_roll_back(lambda: accept_batch([Sent(entry) for entry in list_], door=Door.API)) == alone


def test_each_submission_keeps_its_time_of_receipt_however_long_it_waited(during_round):
    """Rule 3.3: since the first of them arrived, one round has closed and one has opened."""
    Round.objects.update(closes_at=cast.DURING - timedelta(seconds=4))
    cast.a_round(number=2, opens_at=cast.DURING - timedelta(seconds=2), closes_at=during_round.closes_at)
    list_ = [Sent(Entry(f"{ago} s", "rR"), ago=ago) for ago in (5.0, 3.0, 1.0, 0.0)]
    first, between, *last = accept_batch(list_, door=Door.API)
    assert first.submission.round == during_round
    assert first.submission.received_at == cast.DURING - timedelta(seconds=5)
    assert (between.code, between.status) == ("no_round", 409)
    assert [(receipt.submission.round.number, receipt.submission.received_at) for receipt in last] == [
        (2, cast.DURING - timedelta(seconds=1)),
        (2, cast.DURING),
    ]


def test_an_error_for_a_submission_does_not_affect_the_rest_of_its_batch(during_round, monkeypatch):
    """Also for a database error, which aborts the transaction that all of them share."""
    decide = Store._decide

    def broken(store, place, arrival):
        if arrival.entry.nickname == "broken":
            with connection.cursor() as cursor:
                cursor.execute("SELECT nothing")
        return decide(store, place, arrival)

    monkeypatch.setattr(Store, "_decide", broken)
    list_ = [Sent(Entry(name, "rR")) for name in ("one", "broken", "other")]
    receipt, error, other = accept_batch(list_, door=Door.API)
    assert isinstance(error, DatabaseError)
    assert {receipt.submission.player.nickname, other.submission.player.nickname} == {"one", "other"}
    assert Submission.objects.count() == 2


def test_a_submission_received_before_the_close_is_in_time_however_long_storing_takes(during_round, monkeypatch):
    """Rules 3.2, 3.3: the time of arrival is read before any wait."""
    store = acceptance._store

    def stall(arrivals):
        with clock.set_to(cast.CLOSES):
            return store(arrivals)

    monkeypatch.setattr(acceptance, "_store", stall)
    assert accept(Entry("Ann", "rR"), door=Door.API).submission.received_at == cast.DURING
    assert accept(Entry("Bo", "rR", round=1), door=Door.API).submission.received_at == cast.DURING


def test_after_a_database_error_the_rest_of_the_batch_fails_at_once(during_round, monkeypatch):
    tried_ = []

    def away(arrivals):
        tried_.append([arrival.entry.nickname for arrival in arrivals])
        return [OperationalError("away")] * len(arrivals)

    monkeypatch.setattr(acceptance, "_store", away)
    costly = "r" * 200_000
    list_ = [Sent(Entry(name, costly)) for name in ("one", "two", "three")]
    answers = accept_batch(list_, door=Door.API)
    assert [type(answer) for answer in answers] == [OperationalError] * 3
    assert {name for names in tried_ for name in names} == {"one"}


@pytest.fixture
def running(transactional_db):
    now = clock.now()
    return cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))


def test_after_a_failed_commit_all_senders_are_asked_to_retry(running, monkeypatch):
    """The commit may have succeeded: a refusal would be wrong, and an idempotency key returns the receipt."""

    def fail(_self):
        monkeypatch.undo()
        raise InternalError("terminating connection")

    list_ = [Sent(Entry(name, "rR", idempotency_key=KEY + name)) for name in ("Ann", "Bo", "Cy")]
    monkeypatch.setattr(type(connections["default"]), "_commit", fail)
    assert [type(answer) for answer in accept_batch(list_, door=Door.API)] == [OperationalError] * 3
    assert all(answer.claim for answer in accept_batch(list_, door=Door.API))


@pytest.mark.postgres
def test_exactly_ten_of_a_players_forty_concurrent_texts_are_accepted(running):
    claim = cast.send("player", "l").claim
    list_ = [Entry("player", "r" * length, claim=claim) for length in range(1, 41)]
    with ThreadPoolExecutor(24) as threads:
        answers = list(threads.map(of_a_thread(accept_alone), list_))
    assert Counter(type(answer) for answer in answers) == {Receipt: 9, Refused: 31}
    assert Submission.objects.count() == 10


@contextmanager
def locked_row(player):
    """Hold the lock of the player's row in another connection, as a long merge does."""
    parameters = connection.get_connection_params()
    names = {name: parameters[name] for name in ("host", "port", "user", "dbname") if name in parameters}
    with psycopg.connect(**names) as other:
        other.execute("SELECT 1 FROM contest_player WHERE id = %s FOR UPDATE", [player.pk])
        yield other


@pytest.mark.postgres
@pytest.mark.parametrize("nickname", ["Bo", "Former"], ids=["its name", "another name of it"])
def test_no_request_of_a_batch_waits_for_the_locked_row_of_another_player(running, nickname):
    """The locked one is stored in a request of its own, with the same time of receipt."""
    claims = {name: cast.send(name, "r").claim for name in ("Ann", "Bo", "Cy", "Former")}
    bo = Player.objects.get(nickname="Bo")
    cast.merge(Player.objects.get(nickname="Former"), bo, None, reason="the same")
    list_ = [Sent(Entry(name, "rR", claim=claims[name])) for name in ("Ann", nickname, "Cy")]
    with locked_row(bo):
        answers = accept_batch(list_, door=Door.API)
        assert [type(answer) for answer in answers] == [Receipt, Postponed, Receipt]
        assert Submission.objects.filter(player=bo, text=b"rR").count() == 0
    (receipt,) = accept_batch(list_[1:2], door=Door.API)
    assert receipt.submission.player == bo


@pytest.mark.postgres
def test_a_request_that_waits_for_a_locked_row_holds_no_other_row(running):
    claims = {name: cast.send(name, "r").claim for name in ("Ann", "Bo")}
    bo, ann = (Player.objects.get(nickname=name) for name in ("Bo", "Ann"))
    list_ = [Entry(name, "rR", claim=claims[name]) for name in ("Bo", "Ann")]
    with ThreadPoolExecutor(1) as thread:
        with locked_row(bo):
            answers = thread.submit(of_a_thread(partial(accept_all, list_, door=Door.API)))
            until_somebody_waits(answers.done)
            assert not answers.done()
            with transaction.atomic():
                assert Player.objects.select_for_update(nowait=True).get(pk=ann.pk) == ann
        assert [type(answer) for answer in answers.result()] == [Receipt, Receipt]
