import random

import pytest

from solvers.sokoban import Level
from solvers.sokoban.level import BOX, GOAL, PLAYER, WALL
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.proving.symmetries import symmetries
from tests import sizes
from tests.solvers.sokoban.solving.full_search import pull_about
from tests.solvers.sokoban.solving.small_boards import assert_proved


@pytest.mark.parametrize("seed", sizes.cases([0], range(4)))
def test_proofs_on_symmetric_boards_agree_with_full_search(seed):
    chance = random.Random(seed)
    for _ in range(20):
        assert_proved(symmetric_level(chance))


@pytest.mark.parametrize(
    ("width", "goal", "count"), [(5, 12, 8), (7, 17, 4), (5, 2, 2), (5, 10, 2), (5, 18, 2), (5, 8, 2), (5, 1, 1)]
)
def test_a_board_has_the_symmetries_of_its_walls_and_goals(width, goal, count):
    floor = ["-"] * (5 * width)
    floor[width + 1 : width + 3], floor[goal] = "$@", "."
    rows = ["".join(floor[at : at + width]) for at in range(0, 5 * width, width)]
    board = make_board(Level.parse("|".join(f"#{row}#" for row in ("#" * width, *rows, "#" * width))))
    images = symmetries(board).tolist()
    assert (len(images), images[0]) == (count, list(range(board.size + 1)))
    assert all(sorted(image) == images[0] for image in images)


def symmetric_level(chance):
    """Return a small symmetric room; only the player and the boxes, pulled away from their goals, are not symmetric."""
    while True:
        side = chance.choice([3, 4, 5])
        content = {(row, column): 0 for row in range(side) for column in range(side)}
        for kind in (WALL, GOAL):
            row, column = chance.choice([place for place, cell in content.items() if not cell])
            content[row, column] = content[row, side - 1 - column] = kind
        goals = [place for place, cell in content.items() if cell == GOAL]
        for goal in goals:
            content[goal] |= BOX
        content[chance.choice([place for place, cell in content.items() if not cell])] = PLAYER
        rows = [[WALL, *(content[row, column] for column in range(side)), WALL] for row in range(side)]
        level = Level.from_cells([[WALL] * (side + 2), *rows, [WALL] * (side + 2)])
        if level := pull_about(chance, level):
            return level
