import numpy as np
import pytest

from solvers.sokoban.solving.searching import scoring
from solvers.sokoban.solving.searching.scoring import (
    F_COUNT,
    F_CUT,
    F_DISTANCE,
    F_OUTSIDE,
    F_PACKED,
    F_PLACED,
    F_REGIONS,
    F_STUCK,
    PICTURE,
    PLAN,
    PULL,
    REMOVE,
)
from tests.solvers.sokoban.solving.doors import door

score = door(scoring.score)
FEW, MANY = (1, 9), (9, 1)  # the better and the worse value of a feature


@pytest.mark.parametrize(
    ("mode", "ranking"),
    [
        (REMOVE, {F_COUNT: FEW, F_REGIONS: FEW, F_PLACED: FEW, F_CUT: FEW, F_DISTANCE: MANY}),
        (PULL, {F_REGIONS: FEW, F_CUT: FEW, F_STUCK: FEW, F_DISTANCE: MANY}),
        (PLAN, {F_PACKED: MANY, F_REGIONS: FEW, F_CUT: FEW, F_OUTSIDE: FEW, F_DISTANCE: FEW}),
        (PICTURE, {F_REGIONS: FEW, F_PLACED: MANY, F_STUCK: FEW, F_DISTANCE: FEW}),
    ],
    ids=["remove", "pull", "plan", "picture"],
)
def test_a_more_important_feature_outweighs_all_less_important_ones(mode, ranking):
    better, worse = np.zeros(8, np.int64), np.zeros(8, np.int64)
    for feature, values in reversed(ranking.items()):
        better[feature], worse[feature] = values
        assert score(mode, better) > score(mode, worse), feature
        worse[feature], better[feature] = values
