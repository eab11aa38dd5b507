import random

import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.making.series import ladder
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.answers import Solved, Unknown
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Limit, Meter
from solvers.sokoban.solving.portfolio import PARTS, solve_any
from tests.solvers.sokoban.solving.full_search import best, small_level

ROOM = Level.parse("#########|#@------#|#-$-$-$-#|#---#---#|#-.-.-.-#|#########")


def ask(level, parts=PARTS, **budget):
    return solve_any(level, make_board(level), Meter(Budget(**budget)), parts)


@pytest.mark.parametrize("parts", [*((part,) for part in PARTS), PARTS])
def test_every_part_solves_a_room(parts):
    answer = ask(ROOM, parts, cpu_seconds=300)
    assert isinstance(answer, Solved)
    played = replay(ROOM, Moves.parse(answer.lurd))
    assert (played.is_solved, played.moves, played.pushes) == (True, answer.moves, answer.pushes)


@pytest.mark.parametrize("parts", [(part,) for part in PARTS])
def test_solved_and_unsolvable_are_what_full_search_finds(parts):
    chance = random.Random(1)
    for _ in range(25):
        level = small_level(chance)
        if level.boxes == level.goals:
            continue
        answer = ask(level, parts, nodes=100_000)
        assert not isinstance(answer, Unknown), str(level)
        assert isinstance(answer, Solved) == best(level).is_solvable, str(level)


def test_an_answer_counts_the_states_of_its_last_batch():
    assert ask(ROOM, ("greedy",)).nodes > 2  # the start and the goals


def test_a_search_stops_at_its_nodes_or_when_cancelled():
    assert ask(ROOM, nodes=1).limit is Limit.NODES
    assert solve_any(ROOM, make_board(ROOM), Meter(Budget(), cancelled=lambda: True)).limit is Limit.CANCELLED


def test_the_greedy_search_keeps_to_the_megabytes():
    level = ladder(9).level
    assert isinstance(ask(level, ("greedy",)), Solved)
    assert ask(level, ("greedy",), megabytes=1).limit is Limit.METHODS
