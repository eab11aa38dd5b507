from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Moves, replay
from solvers.sokoban.metrics import Metrics, measure
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.test_replay import steps


def test_the_published_solution_of_microban_1():
    assert measure("dlUrrrdLullddrUluRuulDrddrruLdlUU") == Metrics(33, 8, 7, 4, 7, 25)


def test_the_solution_in_jsokos_parser_test_is_headed_as_jsoko_heads_it():
    metrics = measure("lddrdddrrruulLulDDurrrddllLulluUUrurDDDD")
    assert (str(metrics), metrics.player_lines) == ("40/10/5/3/5", 21)


@pytest.mark.parametrize(
    ("lurd", "box_lines", "box_changes", "push_runs", "player_lines"),
    [
        ("", 0, 0, 0, 0),
        ("lluu", 0, 0, 0, 2),
        ("RR", 1, 1, 1, 1),
        ("RrR", 2, 2, 2, 1),  # the second box stood two further on
        ("RlrR", 2, 1, 2, 3),
        ("RD", 2, 2, 1, 2),
    ],
)
def test_runs_and_lines(lurd, box_lines, box_changes, push_runs, player_lines):
    metrics = measure(lurd)
    assert (metrics.box_lines, metrics.box_changes) == (box_lines, box_changes)
    assert (metrics.push_runs, metrics.player_lines) == (push_runs, player_lines)


@given(levels(), steps)
def test_box_changes_are_what_following_every_box_says(level, text):
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
def test_the_counts_are_those_of_runs_found_one_by_one(lurd):
    """The slow, obvious oracle: runs as `groupby` finds them."""
    found = measure(lurd)
    assert found.pushes == sum(letter.isupper() for letter in lurd)
    assert found.box_lines == sum(letter.isupper() for letter, _run in groupby(lurd))
    assert found.push_runs == sum(is_push for is_push, _run in groupby(lurd, str.isupper))
    assert found.player_lines == len(list(groupby(lurd.lower())))
