"""The cases shared with the page: tests/lab/klotski.test.js reads the same file."""

import json
from pathlib import Path

import pytest

from solvers.errors import PuzzleError
from solvers.klotski import Goal, Layout, Mirror, question, replay, solve
from solvers.klotski.atlas import best_moves
from solvers.klotski.moves import legal_moves
from solvers.klotski.numbering import number

CASES = json.loads((Path(__file__).parents[2] / "data/klotski.json").read_text("utf-8"))


def with_fact(fact):
    return pytest.mark.parametrize("one", [one for one in CASES if fact in one], ids=lambda one: one["name"])


@with_fact("cells")
def test_a_text_is_this_board(one):
    layout = Layout.parse(one["text"])
    assert (layout.cells, list(layout.names)) == (one["cells"], one["names"])


@with_fact("error")
def test_a_text_is_refused(one):
    with pytest.raises(PuzzleError) as raised:
        Layout.parse(one["text"])
    error = raised.value
    assert {"code": error.code, "line": error.line, "column": error.column} == one["error"]


@with_fact("moves")
def test_the_moves_of_a_board(one):
    assert [str(move) for move in legal_moves(Layout.parse(one["text"]))] == one["moves"]


@with_fact("images")
def test_the_mirror_images_of_a_board(one):
    layout = Layout.parse(one["text"])
    assert {mirror.value: in_line(layout.reflect(mirror)) for mirror in Mirror} == one["images"]
    assert (layout.horizontals, layout.is_solved) == (one["horizontals"], one["solved"])


@with_fact("number")
def test_the_number_of_a_board(one):
    assert number(Layout.parse(one["text"])) == one["number"]


@with_fact("best")
def test_the_first_moves_of_shortest_ways_out(one):
    assert [str(move) for move in best_moves(Layout.parse(one["text"]))] == one["best"]


@with_fact("least")
def test_the_least_moves_to_every_goal(one):
    ways = {goal.value: solve(Layout.parse(one["text"]), goal) for goal in Goal}
    assert {goal: way if way is None else len(way) for goal, way in ways.items()} == one["least"]


@with_fact("replay")
def test_what_written_moves_come_to(one):
    asked = question(Layout.parse(one["text"]), Goal(one["goal"]), is_strict=one["strict"])
    if "error" in one["replay"]:
        with pytest.raises(PuzzleError) as raised:
            replay(asked, one["played"])
        assert {"error": raised.value.code, "index": raised.value.index} == one["replay"]
        return
    result = replay(asked, one["played"])
    assert {name: getattr(result, name) for name in one["replay"]} == one["replay"]
    assert in_line(result.layouts[-1]) == one["ends"]


def in_line(layout):
    return str(layout).replace("\n", " ")
