"""Searches are claimed by a worker, answered by a separate process, and stored once."""

import itertools
from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery.signals import worker_shutting_down

from contest.infra import clock
from contest.judging import judge
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.replays import animations
from contest.vetting import orders, worker
from solvers import sokoban
from solvers.sokoban import Moves, replay
from solvers.sokoban.making.series import ladder
from tests import cast

pytestmark = pytest.mark.django_db

AT = cast.OPENS
SOLVABLE = sokoban.Level.parse(cast.CORNER)
NEVER = sokoban.Level.parse("#####|#$--#|#-@.#|#####")
# Far too hard to be decided within seconds.
HARD = ladder(14).level


@pytest.fixture(autouse=True)
def _at(db):
    with clock.set_to(AT):
        yield


def vetted(board: sokoban.Level, seconds: int = 10):
    orders.vet_all([board], seconds=seconds)
    worker.work_until_empty(lambda: None)
    return orders.of(board.sha256)


def test_a_solvable_level_gets_a_witness_that_replays_and_is_proved_best():
    search = vetted(SOLVABLE)
    assert (search.state, search.answer) == (SearchState.DONE, SearchAnswer.SOLVED)
    played = replay(SOLVABLE, Moves.parse(search.witness["lurd"]))
    assert played.is_solved
    assert (played.moves, played.pushes) == (search.witness["moves"], search.witness["pushes"])
    assert search.is_optimal("pushes")
    assert search.is_optimal("moves")
    assert search.band == 1
    assert [one["answer"] for one in search.tried] == ["solved"]


def test_an_unsolvable_level_is_proved_so():
    search = vetted(NEVER)
    assert (search.answer, search.found, bool(search.proof)) == (SearchAnswer.UNSOLVABLE, {}, True)


def test_looking_again_keeps_what_was_proved_and_lists_every_try(searching):
    undecided = {"answer": "unknown", "limit": "cpu_seconds", "proof": "", "found": {}, "nodes": 9, "cpu_seconds": 1.0}
    searching.answer = lambda *_asked: undecided | {"least_pushes": 30, "least_moves": 60}
    search = vetted(HARD, seconds=1)
    assert (search.answer, search.limit, search.least_pushes) == (SearchAnswer.UNKNOWN, "cpu_seconds", 30)
    assert orders.again(search, seconds=2, megabytes=512, by=None)
    assert not orders.again(search, seconds=2, megabytes=512, by=None), "it waits already"
    searching.answer = lambda *_asked: undecided | {"least_pushes": 20, "least_moves": 61}
    worker.work_until_empty(lambda: None)
    search = Search.objects.get()
    assert (search.least_pushes, search.least_moves) == (30, 61)
    assert [(one["seconds"], one["answer"]) for one in search.tried] == [(1, "unknown"), (2, "unknown")]


def test_a_board_is_looked_at_once_wherever_it_stands_unless_no_replay_can_judge_it():
    orders.vet(SOLVABLE)
    orders.vet(SOLVABLE)
    orders.vet_all([SOLVABLE, NEVER])
    assert orders.vettings().count() == 2
    assert orders.vet_all([sokoban.Level.parse("#####|#-$.#|#####")]) == 0


@pytest.fixture
def endless(searching, no_wait):
    """A search that reports its progress each second, and never ends."""

    def answer(_question, tell):
        for nodes in itertools.count(1):
            no_wait[0] += 1.0
            told = {"part": "plan", "nodes": nodes, "depth": 1, "bound": 2, "best": None, "cpu_seconds": nodes}
            tell(told)

    searching.answer = answer


def test_a_search_says_how_far_it_is_and_can_be_stopped(endless):
    orders.vet(HARD)
    seen = []

    def look() -> None:
        seen.append((Search.objects.get().state, Search.objects.get().nodes))
        if len(seen) == 3:
            orders.cancel(Search.objects.all())

    worker.work_until_empty(look)
    search = Search.objects.get()
    assert seen == [(SearchState.RUNNING, nodes) for nodes in (1, 2, 3)]
    assert (search.state, search.answer, search.claim_token) == (SearchState.CANCELLED, "", None)


def test_a_worker_that_must_end_gives_its_search_back(endless, monkeypatch):
    for module in (worker, judge, animations):
        monkeypatch.setattr(module, "_is_stopping", False)
    orders.vet(HARD)
    worker.work_until_empty(lambda: worker_shutting_down.send(sender=None))
    search = Search.objects.get()
    assert (search.state, search.attempts, search.claim_token) == (SearchState.QUEUED, 0, None)


def test_progress_between_two_writes_is_stored_with_the_next_write(monkeypatch):
    orders.vet(SOLVABLE)
    seconds = iter([0.0, 0.0, 0.0, 0.6, 1.1, 1.1])
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    tell = worker._Teller(worker._claim(), lambda: None)
    tell(None)
    tell({"part": "plan", "nodes": 7, "depth": 1, "bound": 2, "best": None, "cpu_seconds": 0.5})
    tell(None)
    search = Search.objects.get()
    assert (search.part, search.nodes, search.bound) == ("plan", 7, 2)


def test_whoever_lost_the_claim_writes_nothing(searching):
    """The worker did not respond, and another one claimed the row."""
    orders.vet(SOLVABLE)
    claimed = worker._claim()
    with clock.set_to(AT + worker.LEASE + timedelta(seconds=1)):
        other = worker._claim()
        assert other.pk == claimed.pk
        worker._run(claimed, searching, lambda: None)
        search = Search.objects.get()
        assert (search.state, search.claim_token, search.answer) == (SearchState.RUNNING, other.claim_token, "")


def test_what_breaks_off_or_solves_nothing_has_failed(searching):
    orders.vet(SOLVABLE)
    found = {"moves": {"lurd": "l", "moves": 1, "pushes": 0}}
    searching.answer = lambda *_asked: {"found": found}
    worker.work_until_empty(lambda: None)
    search = Search.objects.get()
    assert (search.state, search.found, search.ended_at) == (SearchState.FAILED, {}, AT)


def test_whom_somebody_waits_for_comes_first():
    orders.vet(SOLVABLE)
    hint = Search.objects.create(
        kind=SearchKind.HINT, urgency=0, text=cast.CORRIDOR, sha256="0", seconds=1, megabytes=64, asked_at=AT
    )
    assert worker._claim().pk == hint.pk
