import random

import pytest

from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.answers import Solved, Unknown
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Limit, Meter
from solvers.sokoban.solving.portfolio import PARTS, solve_any
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
@pytest.mark.parametrize(
    ("name", "number", "part", "nodes", "kind"),
    [
        ("microban1", 153, "plan rooms", 100_000, Solved),  # after 19,000 to 75,000, by the versions of numba and numpy
        ("microban1", 153, "plan", 100_000, Unknown),
        ("xsokoban", 24, "plan", 60_000, Solved),
    ],
)
def test_a_plan_distinguishes_rooms_and_turns_to_other_states_if_the_best_is_lost(name, number, part, nodes, kind):
    """Twenty boxes change rooms before the second is home; the most promising of 24 states locks in two boxes."""
    level = next(Level.parse(pair["xsb"]) for pair in json_lines(f"pairs/{name}.jsonl") if pair["level"] == number)
    assert isinstance(ask(level, (part,), nodes=nodes), kind)


def test_a_search_stops_at_its_nodes_or_when_cancelled():
    assert ask(ROOM, nodes=1).limit is Limit.NODES
    assert solve_any(ROOM, make_board(ROOM), Meter(Budget(), cancelled=lambda: True)).limit is Limit.CANCELLED
