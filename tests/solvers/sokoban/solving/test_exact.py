import random

import pytest

from solvers.errors import BadLevel
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.answers import Aim, Proof, Solved, Unknown, verify
from solvers.sokoban.solving.budget import Budget, Limit
from solvers.sokoban.solving.exact import prove_exactly
from tests import sizes
from tests.solvers.sokoban.solving.full_search import small_level
from tests.solvers.sokoban.solving.small_boards import assert_proved


@pytest.mark.parametrize("seed", sizes.cases([100], range(101, 120)))
def test_optimal_and_unsolvable_agree_with_full_search(seed):
    chance = random.Random(seed)
    for _ in range(150):
        assert_proved(small_level(chance))


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("#######|#@$.#.#|###$###|#######", Proof.OUT_OF_REACH),
        ("#####|#$--#|#-@.#|#####", Proof.EXHAUSTED),
        ("#####|#@*-#|#####", Proof.EXHAUSTED),
        ("########|#@-#--#|#--#*-#|########", Proof.OUT_OF_REACH),
    ],
)
def test_an_unsolvable_level_is_proved_unsolvable(text, proof):
    assert prove_exactly(Level.parse(text)).proof is proof


def test_a_level_that_no_replay_judges_is_refused():
    with pytest.raises(BadLevel):
        prove_exactly(Level.parse("######|#@$-*#|######"))


def test_a_level_solved_at_the_start_needs_a_push_away_and_back():
    level = Level.parse("#######|#--*@-#|#-----#|#######")
    answer = prove_exactly(level)
    assert (answer.pushes, replay(level, Moves.parse(answer.lurd)).is_solved) == (2, True)


@pytest.mark.parametrize("aim", [Aim.PUSHES, Aim.MOVES])
def test_a_search_ends_at_its_nodes_with_a_bound_no_solution_stays_below(aim):
    answer = prove_exactly(ladder(7).level, aim, Budget(nodes=1_000))
    assert (answer.limit, answer.best) == (Limit.NODES, None)
    assert 0 < answer.lower_bound_pushes <= 102
    assert 0 < answer.lower_bound_moves <= 306


@pytest.mark.parametrize("budget", [{"megabytes": 1}, {"cpu_seconds": 0}])
def test_a_search_ends_at_its_memory_or_time(budget):
    assert prove_exactly(ladder(9).level, budget=Budget(**budget)).limit == next(iter(budget))


def test_a_search_is_cancelled_between_batches_and_reports_progress():
    reports = []
    answer = prove_exactly(ladder(14).level, report=reports.append, cancelled=lambda: len(reports) >= 2)
    assert answer.limit is Limit.CANCELLED
    assert reports[-1].nodes > 0
    assert reports[-1].bound >= reports[0].bound > 0


def test_a_known_solution_is_returned_if_the_search_ends_early_and_proved_if_it_is_best():
    known = verify(ladder(6).level, ladder(6).solution)
    early = prove_exactly(ladder(6).level, Aim.MOVES, Budget(nodes=100), known=known)
    assert isinstance(early, Unknown)
    assert early.best == known
    done = prove_exactly(ladder(6).level, Aim.MOVES, known=known)
    assert isinstance(done, Solved)
    assert (done.lurd, done.proven) == (known.lurd, Aim.MOVES)


def test_fewest_pushes_stay_proved_if_the_search_for_fewer_moves_ends_early():
    full = prove_exactly(ladder(6).level)
    answer = prove_exactly(ladder(6).level, budget=Budget(nodes=full.nodes * 2 // 3))
    assert (answer.pushes, answer.proven) == (60, Aim.PUSHES)
