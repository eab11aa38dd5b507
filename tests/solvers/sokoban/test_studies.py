"""Test cases of tests/data/studies.json, which the lab's scripts share."""

import pytest

from solvers.sokoban import Level
from solvers.sokoban.blocks import blocks_around, cut_cells
from solvers.sokoban.making import series
from solvers.sokoban.making.rebuild import level_of
from solvers.sokoban.position import Position
from solvers.sokoban.solving import savitch
from tests.solvers.vectors import cases, refused


@cases("studies", "series")
def test_a_member_of_a_series(case):
    make = {"ladder": series.ladder, "classic": series.classic, "rooms": series.rooms}[case["series"]]
    if "error" in case:
        with refused(case["error"]):
            make(case["number"])
        return
    found = make(case["number"])
    assert (found.level.published_text, found.solution) == (case["level"], case["solution"])
    assert (found.moves, found.pushes) == (case["moves"], case["pushes"])


@cases("studies", "lurd")
def test_a_level_out_of_its_moves(case):
    if "error" in case:
        with refused(case["error"]):
            level_of(case["lurd"])
        return
    assert level_of(case["lurd"]).published_text == case["level"]


@cases("studies", "blocks")
def test_the_blocks_around_a_box(case):
    level = Level.parse(case["level"])
    blocks = blocks_around(level, Position.start(level), case["box"])
    assert [list(cells) for cells in blocks] == case["blocks"]
    assert list(cut_cells(blocks)) == case["cuts"]


def test_there_are_no_blocks_around_a_cell_without_a_box():
    level = Level.parse("#####|#@$.#|#####")
    with pytest.raises(ValueError, match="no box"):
        blocks_around(level, Position.start(level), 6)


@cases("studies", "savitch")
def test_savitchs_search(case):
    level = Level.parse(case["savitch"])
    found = savitch.decide(level, halvings=savitch.least_halvings(level))
    assert (found.is_solvable, found.questions, found.bits) == (case["solvable"], case["questions"], case["bits"])
    assert savitch.count_states(level) == case["states"]
    assert savitch.breadth_first_bits(level) == case["breadth_first_bits"]
