import random

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.answers import Aim, WrongSolution
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.floor.pushes import Push, in_moves, positions_of, pushes_of
from solvers.sokoban.solving.optimizing import optimize
from solvers.sokoban.solving.proving import open_list, vicinity
from solvers.sokoban.solving.proving.best_first import search
from solvers.sokoban.solving.proving.vicinity import NO_FENCE, make_fence, near_squares
from tests import sizes
from tests.solvers.sokoban.solving.doors import door
from tests.solvers.sokoban.solving.full_search import best, pulled_level, steps

is_inside = door(vicinity.is_inside)


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


def test_pushes_of_a_solution_give_the_solution_back():
    member = ladder(5)
    board = make_board(member.level)
    pushes = pushes_of(board, member.solution)
    assert len(pushes) == member.pushes
    assert len(in_moves(board, pushes)) == member.moves
    assert in_moves(board, pushes[1:]) is None
    assert sorted(positions_of(board, member.solution)[-1]) == sorted(board.goals)


def test_a_fence_holds_the_positions_near_a_solution_and_no_others():
    member = ladder(4)
    board = make_board(member.level)
    positions = positions_of(board, member.solution)
    near = near_squares(board, 4)
    fence = make_fence(board, positions[:1], 1, 3, 1_000)
    inside = {key(board, positions[0])}
    for at, box in enumerate(positions[0]):
        for to in near[box][near[box] >= 0]:
            inside.add(key(board, [to if place == at else other for place, other in enumerate(positions[0])]))
    assert {int(one) for one in fence if one} == inside
    assert all(is_inside(fence, board.box_keys[0] * 0 + one) for one in fence if one)
    assert make_fence(board, positions, 3, 10, 5) is None
    assert is_inside(NO_FENCE, board.box_keys[0])


def test_a_fence_of_own_squares_allows_each_box_its_own_path_earlier_or_later():
    member = ladder(4)
    board = make_board(member.level)
    positions = positions_of(board, member.solution)
    inside = set()
    for position in positions.tolist():
        for at, own in enumerate(positions.T.tolist()):
            inside |= {key(board, [*position[:at], square, *position[at + 1 :]]) for square in own}
    fence = make_fence(board, positions, 1, None, 10_000)
    assert {int(one) for one in fence if one} == inside


def test_interleaved_pushes_become_one_run():
    level = Level.parse("#########|#-------#|#.--$--@#|#.--$---#|#-------#|#########")
    board = make_board(level)
    upper, lower = (int(box) for box in board.boxes)
    in_turns = in_moves(board, [Push(box - step, 0) for step in range(3) for box in (upper, lower)])
    positions = positions_of(board, in_turns)
    fence = make_fence(board, positions, 1, None, 1_000)
    found = search(board, open_list.MOVES_PUSHES, Meter(Budget()), fence=fence)
    assert [push.box for push in pushes_of(board, found.lurd)] in (
        [upper, upper - 1, upper - 2, lower, lower - 1, lower - 2],
        [lower, lower - 1, lower - 2, upper, upper - 1, upper - 2],
    )
    assert len(found.lurd) == best(level).moves_then_pushes[0] < len(in_turns)


def key(board, boxes):
    whole = 0
    for box in boxes:
        whole ^= int(board.box_keys[box])
    return whole
