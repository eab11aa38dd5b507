import os
import select
import signal
import subprocess
import sys

import pytest
from django.core.cache import cache

from contest.celery import tasks
from contest.vetting import klotski, searcher
from contest.vetting.process import SearchFailed, SearchProcess
from solvers.klotski import Goal, Layout, question, replay
from solvers.sokoban import Level
from solvers.sokoban.making.series import ladder, rooms
from solvers.sokoban.solving.answers import Proof, Solved, Unsolvable
from tests import cast

QUESTION = {"kind": "vetting", "text": cast.CORNER, "act": "", "aim": "", "given": {}, "seconds": 9, "megabytes": 256}
ASKING = """
from contest.vetting.process import SearchProcess
process = SearchProcess()
print(process._start().pid, flush=True)
process.answer(%r, lambda progress: None)
"""


def test_an_error_or_the_end_of_the_process_costs_only_the_answer_it_belongs_to():
    reported = []
    with SearchProcess() as process:
        with pytest.raises(SearchFailed, match="KeyError"):
            process.answer(QUESTION | {"kind": "guess"}, reported.append)
        assert next(filter(None, reported))["part"] == "preparing"
        done = process.answer(QUESTION, reported.append)
        assert (done["answer"], done["found"]["moves"]["moves"], done["band"]) == ("solved", 5, 1)
        with pytest.raises(SearchFailed, match="has ended"):
            process.answer(QUESTION, lambda _progress: os.kill(process._start().pid, signal.SIGKILL))


def test_the_process_ends_when_its_worker_is_killed():
    worker = subprocess.Popen([sys.executable, "-c", ASKING % QUESTION], stdout=subprocess.PIPE)
    with worker.stdout as output:
        process_fd = os.pidfd_open(int(output.readline()))
    worker.kill()
    worker.wait()
    has_ended, _, _ = select.select([process_fd], [], [], 60)
    os.close(process_fd)
    assert has_ended


def answer(level, kind="vetting", seconds=20):
    results = searcher.Results(seconds, 256, lambda progress: None)
    searcher._TASKS[kind](level, results, {"kind": kind, "act": "solve", "aim": "any"})
    return results.document()


@pytest.mark.parametrize("level", [Level.parse(cast.CORNER), rooms(6).level], ids=["corner", "rooms"])
@pytest.mark.parametrize("kind", ["vetting", "asked"])
def test_a_single_search_cannot_prove_a_level_unsolvable(monkeypatch, kind, level):
    """A level is only rejected if two searches agree."""
    search = "solvers.sokoban.solving.solver.solve"
    monkeypatch.setattr(search, lambda *_level, **_options: Unsolvable(Proof.EXHAUSTED, by="greedy"))
    assert answer(level, kind)["answer"] == "solved"


def test_an_undecided_level_has_a_limit_and_bounds():
    found = answer(ladder(14).level, seconds=0)
    assert (found["answer"], found["limit"], found["found"]) == ("unknown", "cpu_seconds", {})
    assert found["least_moves"] >= found["least_pushes"] > 20


def test_the_best_solution_by_each_count_is_returned():
    results = searcher.Results(9, 256, lambda progress: None)
    for moves, pushes in ((9, 6), (9, 5), (8, 6), (8, 7), (9, 5), (10, 5)):
        results.record_answer(Solved("R", moves, pushes))
    found = results.document()["found"]
    assert [(found[aim]["moves"], found[aim]["pushes"]) for aim in ("moves", "pushes")] == [(8, 6), (9, 5)]


HENG_DAO = "aCCbaCCbcddec12e3..4"
UPRIGHT = "abcdabcdeCC1eCC23..4"  # five upright generals: an odd permutation of them cannot be reached


@pytest.fixture
def sent(cache_of_its_own):
    cache.clear()
    return []


def request_moves(sent, start=HENG_DAO, target=None):
    first = klotski.parse_layout(start)
    last = klotski.parse_layout(target) if target else question(first, Goal.MIRROR, is_strict=True).target
    return klotski.find_moves(first, last, address="192.0.2.1", ask=lambda *both: sent.append(both))


def test_the_answer_leads_every_piece_to_its_own_place(sent):
    assert [request_moves(sent) for _time in range(2)] == [None, None]
    tasks.solve_klotski(*sent[0])
    (moves,) = request_moves(sent)
    start = Layout.parse(HENG_DAO)
    assert replay(question(start, Goal.MIRROR, is_strict=True), moves).is_solved
    assert len(sent) == 1
    swapped = UPRIGHT.translate(str.maketrans("ab", "ba"))
    request_moves(sent, UPRIGHT, swapped)
    tasks.solve_klotski(*sent[1])
    assert request_moves(sent, UPRIGHT, swapped) == (None,), "that there is no way is an answer too"
