"""Test cases shared with the page: tests/lab/klotski.test.js reads the same file."""

from solvers.klotski import Goal, Layout, Mirror, question, replay, solve
from solvers.klotski.atlas import best_moves
from solvers.klotski.moves import legal_moves
from solvers.klotski.numbering import number
from tests.solvers.vectors import cases, refused


@cases("klotski", "cells")
def test_a_text_is_this_board(case):
    layout = Layout.parse(case["text"])
    assert (layout.cells, list(layout.names)) == (case["cells"], case["names"])


@cases("klotski", "error")
def test_a_text_is_refused(case):
    with refused(case["error"]):
        Layout.parse(case["text"])


@cases("klotski", "moves")
def test_the_moves_of_a_board(case):
    assert [str(move) for move in legal_moves(Layout.parse(case["text"]))] == case["moves"]


@cases("klotski", "images")
def test_the_mirror_images_of_a_board(case):
    layout = Layout.parse(case["text"])
    assert {mirror.value: in_line(layout.reflect(mirror)) for mirror in Mirror} == case["images"]
    assert (layout.horizontals, layout.is_solved) == (case["horizontals"], case["solved"])


@cases("klotski", "number")
def test_the_number_of_a_board(case):
    assert number(Layout.parse(case["text"])) == case["number"]


@cases("klotski", "best")
def test_the_first_moves_of_shortest_ways_out(case):
    assert [str(move) for move in best_moves(Layout.parse(case["text"]))] == case["best"]


@cases("klotski", "least")
def test_the_least_moves_to_every_goal(case):
    ways = {goal.value: solve(Layout.parse(case["text"]), goal) for goal in Goal}
    assert {goal: way if way is None else len(way) for goal, way in ways.items()} == case["least"]


@cases("klotski", "replay")
def test_the_verdict_of_written_moves(case):
    asked = question(Layout.parse(case["text"]), Goal(case["goal"]), is_strict=case["strict"])
    if "error" in case["replay"]:
        error = {"code": case["replay"]["error"], "index": case["replay"]["index"]}
        with refused(error):
            replay(asked, case["played"])
        return
    result = replay(asked, case["played"])
    assert {name: getattr(result, name) for name in case["replay"]} == case["replay"]
    assert in_line(result.layouts[-1]) == case["ends"]


def in_line(layout):
    return str(layout).replace("\n", " ")
