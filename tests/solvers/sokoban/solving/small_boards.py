"""Small random levels in the representation of the searches."""

import random

from solvers.sokoban import Level
from solvers.sokoban.level import BOX, PLAYER
from solvers.sokoban.solving.answers import Aim, Unsolvable
from solvers.sokoban.solving.board import Hopeless, make_board
from solvers.sokoban.solving.exact import prove_exactly
from tests.solvers.sokoban.solving.full_search import best, small_level


def unsolved(seed, count):
    """Yield unsolved levels with their boards and the random generator, without those that counting proves hopeless."""
    chance = random.Random(seed)
    while count:
        level = small_level(chance)
        try:
            board = make_board(level)
        except Hopeless:
            continue
        if len(board.boxes) and set(level.boxes) != set(level.goals):
            count -= 1
            yield level, board, chance


def placed(level, boxes, player):
    cells = bytearray(cell & ~(BOX | PLAYER) for cell in level.cells)
    for box in boxes:
        cells[box] |= BOX
    cells[player] |= PLAYER
    return Level(level.width, level.height, bytes(cells))


def assert_proved(level):
    truth = best(level)
    fewest_pushes, fewest_moves = prove_exactly(level, Aim.PUSHES), prove_exactly(level, Aim.MOVES)
    if not truth.is_solvable:
        assert isinstance(fewest_pushes, Unsolvable), str(level)
        assert isinstance(fewest_moves, Unsolvable), str(level)
        return
    assert (fewest_pushes.pushes, fewest_pushes.moves) == truth.pushes_then_moves, str(level)
    assert (fewest_moves.moves, fewest_moves.pushes) == truth.moves_then_pushes, str(level)
    assert (fewest_pushes.proven, fewest_moves.proven) == (Aim.PUSHES, Aim.MOVES)
