"""Searches are claimed, answered by a process of their own, and written once."""

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from contest.infra import clock
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.vetting import orders, worker
from contest.vetting.process import BrokeOff, Searching
from solvers import sokoban
from solvers.sokoban import Moves, replay
from solvers.sokoban.making.series import ladder
from tests import cast

pytestmark = pytest.mark.django_db

AT = cast.OPENS
SOLVABLE = sokoban.Level.parse(cast.CORNER)
NEVER = sokoban.Level.parse("#####|#$--#|#-@.#|#####")
# Far too hard to be decided in some seconds.
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


def test_what_is_not_decided_says_what_was_tried_and_what_is_proved():
    search = vetted(HARD, seconds=1)
    assert (search.answer, search.limit) == (SearchAnswer.UNKNOWN, "cpu_seconds")
    assert search.least_pushes > 20
    assert search.least_moves >= search.least_pushes
    assert [(one["seconds"], one["answer"]) for one in search.tried] == [(1, "unknown")]


def test_looking_again_keeps_what_was_proved_and_lists_every_try():
    search = vetted(HARD, seconds=1)
    bound = search.least_pushes
    Search.objects.update(least_pushes=bound + 1)
    assert orders.again(search, seconds=2, megabytes=512, by=None)
    assert not orders.again(search, seconds=2, megabytes=512, by=None), "it waits already"
    worker.work_until_empty(lambda: None)
    search = Search.objects.get()
    assert search.least_pushes >= bound + 1
    assert [one["seconds"] for one in search.tried] == [1, 2]


def test_a_board_is_looked_at_once_wherever_it_stands():
    orders.vet(SOLVABLE)
    orders.vet(SOLVABLE)
    orders.vet_all([SOLVABLE, NEVER])
    assert orders.vettings().count() == 2


def test_what_no_replay_can_judge_is_not_looked_at():
    assert orders.vet_all([sokoban.Level.parse("#####|#-$.#|#####")]) == 0


def test_a_search_says_how_far_it_is_and_can_be_stopped():
    orders.vet_all([HARD], seconds=600)
    seen = []

    def look() -> None:
        search = Search.objects.get()
        seen.append((search.state, search.nodes))
        if search.nodes:
            orders.cancel(Search.objects.all())

    worker.work_until_empty(look)
    search = Search.objects.get()
    assert seen[-1][0] == SearchState.RUNNING
    assert seen[-1][1] > 0
    assert (search.state, search.answer, search.claim_token) == (SearchState.CANCELLED, "", None)


def test_what_a_search_said_between_two_seconds_is_written_with_the_next(monkeypatch):
    orders.vet(SOLVABLE)
    seconds = iter([0.0, 0.0, 0.0, 0.6, 1.1, 1.1])
    monkeypatch.setattr(worker, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    tell = worker._Teller(worker._claim(), lambda: None)
    tell(None)
    tell({"part": "plan", "nodes": 7, "depth": 1, "bound": 2, "best": None, "cpu_seconds": 0.5})
    tell(None)
    search = Search.objects.get()
    assert (search.part, search.nodes, search.bound) == ("plan", 7, 2)


def test_whoever_lost_the_claim_writes_nothing():
    """A worker that fell silent while another took the row."""
    orders.vet(SOLVABLE)
    claimed = worker._claim()
    with clock.set_to(AT + worker.LEASE + timedelta(seconds=1)):
        other = worker._claim()
        assert other.pk == claimed.pk
        with Searching() as searching:
            worker._run(claimed, searching, lambda: None)
        search = Search.objects.get()
        assert (search.state, search.claim_token, search.answer) == (SearchState.RUNNING, other.claim_token, "")


def test_a_worker_that_must_end_gives_its_search_back(monkeypatch):
    orders.vet_all([HARD], seconds=600)
    worker.work_until_empty(lambda: monkeypatch.setattr(worker, "_is_stopping", True))
    search = Search.objects.get()
    assert (search.state, search.attempts, search.claim_token) == (SearchState.QUEUED, 0, None)


def test_whom_somebody_waits_for_comes_first():
    orders.vet(SOLVABLE)
    hint = Search.objects.create(
        kind=SearchKind.HINT, urgency=0, text=cast.CORRIDOR, sha256="0", seconds=1, megabytes=64, asked_at=AT
    )
    assert worker._claim().pk == hint.pk


def test_a_process_that_dies_costs_its_answer_and_no_worker():
    orders.vet_all([HARD], seconds=600)
    worker.work_until_empty(lambda: [os.kill(pid, signal.SIGKILL) for pid in _children(os.getpid())])
    assert Search.objects.get().state == SearchState.FAILED


def test_a_search_that_kills_its_workers_has_ended_when_it_is_given_up():
    orders.vet_all([HARD], seconds=600)
    for attempt in range(worker.MAX_ATTEMPTS + 1):
        with clock.set_to(AT + attempt * worker.LEASE):
            worker._claim()
    search = Search.objects.get()
    assert (search.state, search.ended_at) == (SearchState.FAILED, AT + worker.MAX_ATTEMPTS * worker.LEASE)


def test_a_solution_that_solves_nothing_is_never_stored():
    search = Search(text=cast.CORRIDOR)
    with pytest.raises(BrokeOff):
        worker._replay(search, "l")


def test_the_process_that_searches_ends_with_a_worker_that_was_killed():
    """Kill -9 of the worker: what it started must not go on searching."""
    question = {"kind": "vetting", "text": HARD.published_text, "act": "", "aim": "", "given": {}}
    question |= {"seconds": 600, "megabytes": 256}
    program = "from contest.vetting.process import Searching; Searching().answer(%r, lambda told: None)" % question
    asker = subprocess.Popen([sys.executable, "-c", program])
    (searcher,) = _waited(lambda: _children(asker.pid))
    asker.kill()
    asker.wait()
    assert _waited(lambda: not _is_alive(searcher))


def _children(pid: int) -> list[int]:
    """The processes that search, of those that *pid* has started."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed if "searcher" in _command(child)]


def _command(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:  # it has ended meanwhile
        return ""


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _waited(look):
    until = time.monotonic() + 30
    while not (found := look()) and time.monotonic() < until:
        time.sleep(0.1)
    return found
