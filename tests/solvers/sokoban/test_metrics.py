from itertools import groupby, pairwise

from hypothesis import given

from solvers.sokoban import Moves, replay
from solvers.sokoban.metrics import measure
from solvers.sokoban.playback import Playback
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.test_replay import steps


@given(levels(), steps)
def test_box_changes_equal_following_every_box(level, text):
    lurd = replay(level, Moves.parse(text)).lurd
    moved = [
        {before, after}
        for one, other in pairwise(Playback(level, lurd))
        for before, after in zip(enumerate(one.boxes), enumerate(other.boxes), strict=True)
        if before != after
    ]
    assert measure(lurd).box_changes == len(list(groupby(min(box)[0] for box in moved)))
