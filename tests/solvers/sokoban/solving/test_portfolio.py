import random

import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.answers import Solved, Unknown
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Limit, Meter
from solvers.sokoban.solving.portfolio import PARTS, solve_any
from solvers.sokoban.solving.searching.guides import plan_steps
from tests.solvers.shared_data import json_lines, needs_shared_data
from tests.solvers.sokoban.solving.full_search import best, small_level

ROOM = Level.parse("#########|#@------#|#-$-$-$-#|#---#---#|#-.-.-.-#|#########")


def ask(level, parts=PARTS, **budget):
    return solve_any(level, make_board(level), Meter(Budget(**budget)), parts)


@pytest.mark.parametrize("parts", [*((part,) for part in PARTS), ("picture own",), PARTS])
def test_every_part_solves_a_room(parts):
    answer = ask(ROOM, parts, cpu_seconds=300)
    assert isinstance(answer, Solved)
    played = replay(ROOM, Moves.parse(answer.lurd))
    assert (played.is_solved, played.moves, played.pushes) == (True, answer.moves, answer.pushes)


@pytest.mark.parametrize("parts", [("greedy",), ("plan",), ("plan rooms",), ("picture",), ("restarts",)])
def test_solved_and_unsolvable_are_what_full_search_finds(parts):
    chance = random.Random(1)
    for _ in range(25):
        level = small_level(chance)
        if level.boxes == level.goals:
            continue
        answer = ask(level, parts, nodes=100_000)
        assert not isinstance(answer, Unknown), str(level)
        assert isinstance(answer, Solved) == best(level).is_solvable, str(level)


@pytest.mark.exhaustive
@needs_shared_data
def test_rooms_tell_states_apart_where_nothing_can_be_packed_for_long():
    """Before its second box goes home, twenty others must change rooms."""
    level = next(Level.parse(pair["xsb"]) for pair in json_lines("pairs/microban1.jsonl") if pair["level"] == 153)
    assert isinstance(ask(level, ("plan rooms",), nodes=40_000), Solved)
    assert isinstance(ask(level, ("plan",), nodes=40_000), Unknown)


def test_a_search_stops_at_its_nodes():
    assert ask(ROOM, nodes=1).limit is Limit.NODES


def test_a_search_can_be_cancelled():
    meter = Meter(Budget(), cancelled=lambda: True)
    answer = solve_any(ROOM, make_board(ROOM), meter)
    assert answer.limit is Limit.CANCELLED


def test_what_a_plan_takes_back_is_left_out():
    assert plan_steps([(-1, 4), (4, 5), (5, 4), (-1, 2)]) == [(-1, 4), (-1, 2)]
