import numpy as np
import pytest

from solvers.sokoban import Level
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.floor.macros import work_for
from solvers.sokoban.solving.floor.rooms import find_rooms
from solvers.sokoban.solving.searching import advising
from solvers.sokoban.solving.searching.advising import (
    A_CONNECT,
    A_IMPROVE,
    A_MAKE_ROOM,
    A_PACK,
    A_ROOMS,
    Advice,
    advice_for,
)
from solvers.sokoban.solving.searching.guides import make_guide
from solvers.sokoban.solving.searching.options import O_MODE
from solvers.sokoban.solving.searching.scoring import F_CUT, F_PACKED, F_REGIONS, PLAN, PULL, REMOVE, scoring_for
from tests.solvers.sokoban.solving.doors import door

advise = door(advising.advise)
follow_advice = door(advising.follow_advice)
BOARD = make_board(Level.parse("#####|#@$.#|#####"))


def no_advice() -> Advice:
    advice = advice_for(BOARD)
    advice.edge[:] = -1
    return advice


@pytest.mark.parametrize(
    ("mode", "after", "advisors"),
    [
        (PLAN, (2, 3, 3), [A_PACK, A_IMPROVE]),
        (PLAN, (1, 2, 3), [A_CONNECT, A_IMPROVE]),
        (PLAN, (1, 3, 2), [A_ROOMS, A_IMPROVE]),
        (PLAN, (1, 3, 3), [A_IMPROVE]),
        (PLAN, (0, 2, 2), [A_IMPROVE]),  # it unpacks a step
        (REMOVE, (1, 3, 3), [A_PACK, A_IMPROVE]),
        (PULL, (2, 2, 2), [A_IMPROVE]),
    ],
)
def test_each_advisor_proposes_the_best_move_of_its_kind_and_none_that_unpacks(mode, after, advisors):
    scoring, work, advice = scoring_for(make_guide(BOARD), find_rooms(BOARD), 1), work_for(BOARD, 1), no_advice()
    options, features = np.zeros(10, np.int64), [F_PACKED, F_REGIONS, F_CUT]
    options[O_MODE] = mode
    scoring.features.now[features] = 1, 3, 3
    scoring.features.then[features] = after
    for edge, score in enumerate((5, 9, 7)):
        advise(BOARD, scoring, work, advice, options, edge, 0, score)
    assert {advisor: edge for advisor, edge in enumerate(advice.edge.tolist()) if edge >= 0} == dict.fromkeys(
        advisors, 1
    )


@pytest.mark.parametrize(("packing", "weights"), [(-1, [1, 0]), (0, [0, 1])])
def test_room_is_made_only_if_nothing_can_be_packed(packing, weights):
    advice, given = no_advice(), np.ones(2, np.int32)
    advice.edge[[A_PACK, A_MAKE_ROOM]] = packing, 1
    follow_advice(advice, given, 0, PLAN)
    assert given.tolist() == weights
