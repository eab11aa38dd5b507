from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

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


@given(st.text("lurdLURD"))
def test_the_counts_equal_runs_counted_letter_by_letter(lurd):
    found = measure(lurd)
    assert found.pushes == sum(letter.isupper() for letter in lurd)
    assert found.box_lines == sum(letter.isupper() for letter, _run in groupby(lurd))
    assert found.push_runs == sum(is_push for is_push, _run in groupby(lurd, str.isupper))
    assert found.player_lines == len(list(groupby(lurd.lower())))
