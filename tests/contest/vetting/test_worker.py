import itertools

import pytest
from celery.signals import worker_shutting_down

from contest.judging import judge
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.replays import animations
from contest.vetting import orders, worker
from solvers import sokoban
from solvers.sokoban import Moves, replay
from solvers.sokoban.making.series import ladder
from tests import cast

AT = cast.OPENS
SOLVABLE = sokoban.Level.parse(cast.CORNER)
NEVER = sokoban.Level.parse("#####|#$--#|#-@.#|#####")
# Far too hard to be decided within seconds.
HARD = ladder(14).level
pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


def vetted(board: sokoban.Level, seconds: int = 10):
    orders.queue_vettings([board], seconds=seconds)
    worker.work_until_empty(lambda: None)
    return orders.find_vetting(board.sha256)


def test_a_level_gets_a_witness_that_replays_and_is_proved_best_or_a_proof_that_it_is_unsolvable():
    search = vetted(SOLVABLE)
    assert (search.state, search.answer) == (SearchState.DONE, SearchAnswer.SOLVED)
    played = replay(SOLVABLE, Moves.parse(search.witness["lurd"]))
    assert played.is_solved
    assert (played.moves, played.pushes) == (search.witness["moves"], search.witness["pushes"])
    assert search.is_optimal("pushes")
    assert search.is_optimal("moves")
    assert search.band == 1
    assert [attempt["answer"] for attempt in search.tried] == ["solved"]
    search = vetted(NEVER)
    assert (search.answer, search.found, bool(search.proof)) == (SearchAnswer.UNSOLVABLE, {}, True)


def test_a_repeated_vetting_keeps_earlier_bounds_and_lists_every_attempt(search_process):
    undecided = {"answer": "unknown", "limit": "cpu_seconds", "proof": "", "found": {}, "nodes": 9, "cpu_seconds": 1.0}
    search_process.answer = lambda *_asked: undecided | {"least_pushes": 30, "least_moves": 60}
    search = vetted(HARD, seconds=1)
    assert (search.answer, search.limit, search.least_pushes) == (SearchAnswer.UNKNOWN, "cpu_seconds", 30)
    assert orders.requeue(search, seconds=2, megabytes=512, by=None)
    again, new = Search.objects.get(pk=search.pk), Search()
    assert all(getattr(again, name) == getattr(new, name) for name in orders.QUEUED_FIELDS)
    assert not orders.requeue(search, seconds=2, megabytes=512, by=None), "it waits already"
    search_process.answer = lambda *_asked: undecided | {"least_pushes": 20, "least_moves": 61}
    worker.work_until_empty(lambda: None)
    search = Search.objects.get()
    assert (search.least_pushes, search.least_moves) == (30, 61)
    assert [(attempt["seconds"], attempt["answer"]) for attempt in search.tried] == [(1, "unknown"), (2, "unknown")]


def test_a_board_is_queued_once_and_an_unjudgeable_one_never():
    orders.queue_vetting(SOLVABLE)
    orders.queue_vetting(SOLVABLE)
    orders.queue_vettings([SOLVABLE, NEVER])
    assert orders.vettings().count() == 2
    assert orders.queue_vettings([sokoban.Level.parse("#####|#-$.#|#####")]) == 0


@pytest.fixture
def endless(search_process, no_wait):
    def answer(_question, report):
        for nodes in itertools.count(1):
            no_wait[0] += 1.0
            progress = {"part": "plan", "nodes": nodes, "depth": 1, "bound": 2, "best": None, "cpu_seconds": nodes}
            report(progress)

    search_process.answer = answer


def test_a_search_reports_its_progress_and_can_be_cancelled(endless):
    orders.queue_vetting(HARD)
    seen = []

    def look() -> None:
        seen.append((Search.objects.get().state, Search.objects.get().nodes))
        if len(seen) == 3:
            orders.cancel_searches(Search.objects.all())

    worker.work_until_empty(look)
    search = Search.objects.get()
    assert seen == [(SearchState.RUNNING, nodes) for nodes in (1, 2, 3)]
    assert (search.state, search.answer, search.claim_token) == (SearchState.CANCELLED, "", None)


def test_a_worker_that_must_stop_puts_its_search_back_into_the_queue(endless, monkeypatch):
    for module in (worker, judge, animations):
        monkeypatch.setattr(module, "_is_stopping", False)
    orders.queue_vetting(HARD)
    worker.work_until_empty(lambda: worker_shutting_down.send(sender=None))
    search = Search.objects.get()
    assert (search.state, search.attempts, search.claim_token) == (SearchState.QUEUED, 0, None)


def test_an_answer_with_a_wrong_solution_fails_the_search(search_process):
    orders.queue_vetting(SOLVABLE)
    found = {"moves": {"lurd": "l", "moves": 1, "pushes": 0}}
    search_process.answer = lambda *_asked: {"found": found}
    worker.work_until_empty(lambda: None)
    search = Search.objects.get()
    assert (search.state, search.found, search.ended_at) == (SearchState.FAILED, {}, AT)


def test_a_hint_is_claimed_before_a_vetting():
    orders.queue_vetting(SOLVABLE)
    hint = Search.objects.create(
        kind=SearchKind.HINT, urgency=0, text=cast.CORRIDOR, sha256="0", seconds=1, megabytes=64, asked_at=AT
    )
    assert worker._claim().pk == hint.pk
