import random

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.searching import first_look as module
from solvers.sokoban.solving.searching.first_look import first_look
from tests.solvers.sokoban.solving.full_search import best, small_level
from tests.solvers.sokoban.solving.test_compiling import run


def test_an_easy_level_is_solved_without_numba_and_without_numpy():
    text = "import sys; from solvers.sokoban.level import Level; from solvers.sokoban.solving.solver import solve\n"
    text += "print(solve(Level.parse('######|#@$-.#|######')))\n"
    text += "print([name for name in ('numba', 'numpy') if name in sys.modules])"
    lines = run(text).stdout.splitlines()
    assert lines == ["Solved('RR', moves=2, pushes=2)", "[]"]


def test_small_boards_are_solved_exactly_if_full_search_solves_each():
    chance = random.Random(7)
    for _ in range(100):
        level = small_level(chance)
        found = first_look(level, 100_000)
        assert (found is not None) is (best(level).is_solvable and level.boxes != level.goals), str(level)
        assert found is None or replay(level, Moves.parse(found[0])).is_solved, str(level)


@pytest.mark.parametrize("text", ["#####|#$--#|#-@.#|#####", "#####|#@*-#|#####", "#######|#@$.#.#|###$###|#######"])
def test_hard_levels_are_left_to_the_searches(text):
    assert first_look(Level.parse(text), 10_000) is None


def test_no_more_states_are_met_than_allowed(monkeypatch):
    assert first_look(ladder(5).level, 20) is None
    monkeypatch.setattr(module, "MOST_WORK", 0)
    assert first_look(ladder(5).level, 10_000) is None
