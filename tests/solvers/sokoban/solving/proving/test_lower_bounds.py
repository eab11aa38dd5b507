import numpy as np
import pytest

from solvers.sokoban.solving.board import FAR
from solvers.sokoban.solving.floor.matching import assign, matching_for
from solvers.sokoban.solving.proving import lower_bounds
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from tests.solvers.sokoban.solving.doors import door
from tests.solvers.sokoban.solving.small_boards import unsolved

fill_costs = door(lower_bounds.fill_costs)
row_at = door(lower_bounds.row_at)
sum_with = door(lower_bounds.sum_with)


def bound(board, costs, boxes, man):
    matching = matching_for(len(boxes))
    fill_costs(board, costs, boxes, len(boxes), man, matching)
    return matching, assign(matching, len(boxes))


@pytest.mark.parametrize("pull", [False, True])
def test_rematching_one_changed_row_equals_a_full_matching(pull):
    for _, board, chance in unsolved(2, 40):
        costs = costs_to(board, board.goals, pull=pull)
        matching, total = bound(board, costs, board.boxes, board.player)
        if total >= FAR:
            continue
        number = chance.randrange(len(board.boxes))
        free = sorted({*range(board.size)} - {*map(int, board.boxes)} - {board.player})
        if not free:
            continue
        to = chance.choice(free)
        row = row_at(board.neighbours, costs, to, board.player)
        if row < 0:
            continue
        moved = np.array([to if at == number else box for at, box in enumerate(board.boxes)], np.int32)
        recomputed = bound(board, costs, moved, board.player)[1]
        changed = sum_with(matching, len(moved), costs, number, row, total)
        assert (changed >= FAR, changed if recomputed < FAR else 0) == (
            recomputed >= FAR,
            recomputed if recomputed < FAR else 0,
        )
