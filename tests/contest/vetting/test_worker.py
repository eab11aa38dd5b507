"""Searches are claimed, answered by a process of their own, and written once."""

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Search, SearchAnswer, SearchKind, SearchState
from contest.vetting import orders, worker
from contest.vetting.process import BrokeOff, Searching
from solvers import sokoban
from solvers.sokoban import Moves, replay
from tests import cast

pytestmark = pytest.mark.django_db

AT = cast.OPENS
SOLVABLE = sokoban.Level.parse(cast.CORNER)
STUCK = sokoban.Level.parse("######|#@---#|#-$--#|#---.#|##$###|#.####|######")
NEVER = sokoban.Level.parse("#####|#$--#|#-@.#|#####")
# Far too hard to be decided in a second.
HARD = sokoban.Level.parse(
    "############|#..--#-----###|#..--#-$--$--#|#..--#$####--#|#..----@-##--#|#..--#-#--$-##|######-##$-$-#"
    "|--#-$--$-$-$-#|--#----#-----#|--############"
)


@pytest.fixture(autouse=True)
def _at(db):
    with clock.set_to(AT):
        yield


def vetted(board: sokoban.Level, seconds: int = 10) -> Search:
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
