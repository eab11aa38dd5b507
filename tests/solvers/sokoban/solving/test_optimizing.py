import random

import pytest

from solvers.sokoban import Moves, replay
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.answers import Aim, WrongSolution
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.optimizing import optimize
from tests import sizes
from tests.solvers.sokoban.solving.full_search import best, pulled_level, steps


def wandering_solution(level, chance):
    """Return a solution with many unnecessary steps: wander, then follow the shortest way found breadth-first."""
    state, wandered, solution = (level.player, frozenset(level.boxes)), "", ""
    for _ in range(30):
        solution = wandered + way if (way := shortest(level, state)) else solution
        after = chance.choice(list(steps(level, *state)))[0]
        wandered += letters_of(level)[after[0] - state[0]]
        state = after
    return solution


def letters_of(level):
    return {-1: "l", 1: "r", -level.width: "u", level.width: "d"}


def shortest(level, start):
    goals, letters = frozenset(level.goals), letters_of(level)
    ways, todo = {start: ""}, [start]
    for state in todo:
        for after, pushed in steps(level, *state):
            way = ways[state] + letters[after[0] - state[0]]
            if pushed and after[1] == goals:
                return way
            if after not in ways:
                ways[after] = way
                todo.append(after)
    return None


@pytest.mark.parametrize("aim", [Aim.PUSHES, Aim.MOVES])
@pytest.mark.parametrize("seed", sizes.cases([0, 1], range(6)))
def test_a_small_level_is_improved_to_the_optimum(seed, aim):
    chance = random.Random(seed)
    for _ in range(4):
        level = pulled_level(chance, max_side=5, max_boxes=2)
        answer = optimize(level, wandering_solution(level, chance), aim, Budget())
        truth = best(level)
        if aim is Aim.PUSHES:
            assert (answer.pushes, answer.moves) == truth.pushes_then_moves, str(level)
        else:
            assert (answer.moves, answer.pushes) == truth.moves_then_pushes, str(level)


@pytest.mark.parametrize("aim", [Aim.PUSHES, Aim.MOVES])
def test_it_is_never_worse_and_always_replayed_however_little_it_may_spend(aim):
    member = ladder(8)
    answer = optimize(member.level, member.solution, aim, Budget(cpu_seconds=0.01))
    assert (answer.moves, answer.pushes) <= (member.moves, member.pushes)
    assert replay(member.level, Moves.parse(answer.lurd)).is_solved


def test_moves_that_are_no_solution_are_refused():
    with pytest.raises(WrongSolution):
        optimize(ladder(4).level, "rdr")


def test_it_stops_when_cancelled():
    member = ladder(7)
    answer = optimize(member.level, member.solution, budget=Budget(), cancelled=lambda: True)
    assert answer.pushes == member.pushes
