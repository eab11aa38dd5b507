"""What the benches measure with."""

import os

from bench import services
from bench.games import pushing_game
from bench.seeding import BOXES, MOVES, SIDE, texts
from solvers.sokoban import Moves, replay


def test_the_texts_differ_and_all_solve_the_level():
    level, _lurd = pushing_game(SIDE, BOXES, MOVES)
    sent = texts(20)
    assert len(set(sent)) == 20
    assert all(replay(level, Moves.parse(text)).is_solved for text in sent)


def test_the_time_of_a_child_that_has_ended_is_counted():
    before = services.cpu_seconds(os.getpid())
    child = os.fork()
    if child == 0:
        sum(range(5_000_000))
        os._exit(0)
    os.waitpid(child, 0)
    assert services.cpu_seconds(os.getpid()) > before
