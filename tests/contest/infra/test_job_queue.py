"""Guarantees of every queue of rows, tested on three of them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection

from contest.archive.imports import jobs
from contest.infra import clock
from contest.models import Film, RoundImport, Search, SearchKind
from contest.replays import animations
from contest.vetting import worker as vetting
from tests import cast

AT = cast.AFTER
pytestmark = pytest.mark.django_db


def a_film(during_round, number):
    submission = cast.enter(during_round, "Ada", 2, 1, at=cast.DURING + timedelta(minutes=number))
    return Film.objects.create(key=str(number), submission=submission, kind="gif", asked_at=AT, used_at=AT)


def a_search(_round, number):
    sha256 = f"{number:064}"
    return Search.objects.create(kind=SearchKind.ASKED, text="", sha256=sha256, seconds=1, megabytes=1, asked_at=AT)


def an_import(_round, number):
    by = User.objects.create(username=f"organiser {number}")
    return RoundImport.objects.create(data=b"tables", language="en", asked_at=AT, asked_by=by)


ROWS = {"films": a_film, "searches": a_search, "imports": an_import}
QUEUES = {"films": animations.QUEUE, "searches": vetting.QUEUE, "imports": jobs.QUEUE}


@pytest.fixture(params=QUEUES)
def queue(request, during_round):
    with clock.set_to(AT):
        yield QUEUES[request.param]


@pytest.fixture
def add(request, queue, during_round):
    (make,), numbers = (ROWS[name] for name, of in QUEUES.items() if of is queue), iter(range(100))
    return lambda: make(during_round, next(numbers))


def test_a_row_has_a_single_holder_and_the_oldest_is_claimed_first_by_default(queue, add):
    first, _second, last = add(), add(), add()
    assert queue.claim(queue.model.objects.order_by("-pk")) == last
    assert queue.claim() == first
    assert queue.claim() is not None
    assert queue.claim() is None


def test_a_killed_workers_row_is_claimed_again_after_its_lease(queue, add):
    add()
    killed = queue.claim()
    with clock.set_to(AT + queue.lease - timedelta(seconds=1)):
        assert queue.claim() is None
    with clock.set_to(AT + queue.lease):
        assert queue.overdue(clock.now()).get() == killed
        assert queue.claim() == killed
    with clock.set_to(AT + queue.lease * 1.5):
        assert queue.prolong(queue.model._default_manager.get())
    with clock.set_to(AT + queue.lease * 2):
        assert queue.claim() is None
    with clock.set_to(AT - 3 * queue.lease):
        assert queue.claim() is not None, "a clock that was set back holds nothing for ever"


def test_a_worker_that_lost_its_claim_writes_nothing(queue, add):
    add()
    late = queue.claim()
    with clock.set_to(AT + queue.lease):
        now = queue.claim()
        assert not queue.close(late, attempts=99)
        assert not queue.prolong(late)
        assert not queue.give_back(late)
        assert queue.close(now)


def test_a_worker_with_a_fast_clock_takes_no_rows_from_others(queue, add, monkeypatch):
    add()
    assert queue.claim() is not None
    monkeypatch.setattr(clock, "now_at_database", lambda: AT)
    with clock.set_to(AT + 2 * queue.lease):
        assert queue.claim() is None


def test_a_released_row_does_not_count_as_an_attempt(queue, add):
    add()
    for _time in range(queue.most_attempts + 2):
        assert queue.give_back(queue.claim())
    assert queue.claim().attempts == 1


def test_a_row_that_kills_its_workers_is_given_up(queue, add):
    row = add()
    given_up = queue.given_up(row) if callable(queue.given_up) else queue.given_up
    for attempt in range(queue.most_attempts):
        with clock.set_to(AT + attempt * queue.lease):
            assert queue.claim() is not None
    with clock.set_to(AT + queue.most_attempts * queue.lease):
        assert queue.claim() is None
    row.refresh_from_db()
    assert {field: getattr(row, field) for field in given_up} == given_up
    assert row.claim_token is None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_instant_take_each_row_once(queue, add):
    for _row in range(20):
        add()

    def work(_number):
        claimed = []
        while row := queue.claim():
            claimed.append(row.pk)
        connection.close()
        return claimed

    with ThreadPoolExecutor(4) as workers:
        claimed = [pk for keys in workers.map(work, range(4)) for pk in keys]
    assert len(claimed) == len(set(claimed)) == 20
