from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Moves, replay
from solvers.sokoban.metrics import measure
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.test_replay import steps


@given(levels(), steps)
def test_box_changes_equal_following_every_box(level, text):
    lurd = replay(level, Moves.parse(text)).lurd
    player, boxes, last, changes = level.player, list(level.boxes), None, 0
    for letter in lurd:
        delta = {"l": -1, "u": -level.width, "r": 1, "d": level.width}[letter.lower()]
        player += delta
        if letter.isupper():
            box = boxes.index(player)
            boxes[box] += delta
            changes += box != last
            last = box
    assert measure(lurd).box_changes == changes


@given(st.text("lurdLURD"))
def test_the_counts_equal_runs_counted_letter_by_letter(lurd):
    """The slow, obvious oracle: runs found by `groupby`."""
    found = measure(lurd)
    assert found.pushes == sum(letter.isupper() for letter in lurd)
    assert found.box_lines == sum(letter.isupper() for letter, _run in groupby(lurd))
    assert found.push_runs == sum(is_push for is_push, _run in groupby(lurd, str.isupper))
    assert found.player_lines == len(list(groupby(lurd.lower())))
