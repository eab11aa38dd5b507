import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from contest.infra import group_commit
from contest.infra.group_commit import Group
from tests.contest.patience import wait_until


class Work:
    """Doubles numbers, and waits in the middle of it until it is told to go on."""

    def __init__(self):
        self.batches = []
        self.begun = threading.Semaphore(0)
        self.goes_on = threading.Event()

    def __call__(self, numbers):
        self.batches.append(list(numbers))
        self.begun.release()
        assert self.goes_on.wait(20)
        if 13 in numbers:
            raise ValueError
        return [2 * number for number in numbers]


@pytest.fixture
def work():
    return Work()


@pytest.fixture
def threads():
    with ThreadPoolExecutor(50) as threads:
        yield threads


def test_a_lonely_one_is_done_at_once_by_its_own_thread(work):
    work.goes_on.set()
    done_by = []
    group = Group(lambda numbers: done_by.append(threading.get_ident()) or work(numbers), 10)
    assert (group.do(1), group.do(2)) == (2, 4)
    assert work.batches == [[1], [2]]
    assert set(done_by) == {threading.get_ident()}


def test_what_comes_meanwhile_is_done_together_in_the_order_it_came(work, threads):
    group = Group(work, 10)
    answers = [threads.submit(group.do, 0)]
    assert work.begun.acquire(timeout=20)
    for number in range(1, 6):
        answers.append(threads.submit(group.do, number))
        wait_until(lambda: len(group._line) == len(answers) - 1)
    work.goes_on.set()
    assert [answer.result(20) for answer in answers] == [0, 2, 4, 6, 8, 10]
    assert work.batches == [[0], [1, 2, 3, 4, 5]]


def test_a_batch_has_so_many_at_most(work, threads):
    group = Group(work, 3)
    answers = [threads.submit(group.do, 0)]
    assert work.begun.acquire(timeout=20)
    answers += [threads.submit(group.do, number) for number in range(1, 8)]
    wait_until(lambda: len(group._line) >= 7)
    work.goes_on.set()
    assert sorted(answer.result(20) for answer in answers) == list(range(0, 16, 2))
    assert [len(batch) for batch in work.batches] == [1, 3, 3, 1]


def test_where_one_spoils_it_each_is_told_to_go_alone_and_the_next_are_done(work, threads):
    group = Group(work, 10)
    first = threads.submit(group.do, 0)
    assert work.begun.acquire(timeout=20)
    spoilt = [threads.submit(group.do, number) for number in (12, 13, 14)]
    wait_until(lambda: len(group._line) >= 3)
    work.goes_on.set()
    assert first.result(20) == 0
    assert [answer.result(20) for answer in spoilt] == [None] * 3
    assert group.do(15) == 30


def test_behind_a_leader_that_stalls_nobody_waits_for_long(work, threads, monkeypatch):
    monkeypatch.setattr(group_commit, "PATIENCE_SECONDS", 0.01)
    group = Group(work, 10)
    first = threads.submit(group.do, 0)
    assert work.begun.acquire(timeout=20)
    assert group.do(1) is None
    work.goes_on.set()
    assert first.result(20) == 0
    assert (group.do(2), work.batches) == (4, [[0], [2]])


def test_under_load_each_gets_its_own_answer_and_none_is_done_twice(threads):
    done = []

    def double(numbers):
        done.extend(numbers)
        return [2 * number for number in numbers]

    group = Group(double, 7)
    assert list(threads.map(group.do, range(500))) == list(range(0, 1_000, 2))
    assert sorted(done) == list(range(500))
