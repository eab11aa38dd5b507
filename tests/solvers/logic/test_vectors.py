"""The cases shared with the page: tests/lab/logic.test.js reads the same file."""

import json
from pathlib import Path

import pytest

from solvers.errors import PuzzleError
from solvers.logic import Formula, decide, explore, reduce_formula
from solvers.logic.placing import place

CASES = json.loads((Path(__file__).parents[2] / "data/logic.json").read_text("utf-8"))


def with_fact(fact):
    return pytest.mark.parametrize("one", [one for one in CASES if fact in one], ids=lambda one: one["name"])


@with_fact("prefix")
def test_a_text_is_this_formula_and_so_true(one):
    formula = Formula.parse(one["text"])
    assert [[quantifier.value, variable] for quantifier, variable in formula.prefix] == one["prefix"]
    assert [list(clause) for clause in formula.clauses] == one["clauses"]
    assert str(formula) == one["written"]
    found = decide(formula)
    assert [found.is_true, found.nodes, found.most_values] == one["decision"]


@with_fact("error")
def test_a_text_is_refused(one):
    with pytest.raises(PuzzleError) as raised:
        Formula.parse(one["text"])
    assert {"code": raised.value.code, "line": raised.value.line} == one["error"]


@with_fact("unreduced")
def test_a_formula_is_no_graph(one):
    with pytest.raises(PuzzleError) as raised:
        reduce_formula(Formula.parse(one["text"]))
    assert raised.value.code == one["unreduced"]


@with_fact("graph")
def test_the_graph_of_a_formula(one):
    made = reduce_formula(Formula.parse(one["text"]))
    found = {
        "vertices": made.graph.vertices,
        "edges": [[edge.one, edge.other, edge.weight] for edge in made.graph.edges],
        "heads": list(made.heads),
        "goal": list(made.goal),
        "variables": [list(variable) for variable in made.variables],
    }
    assert found == one["graph"]


@with_fact("turns")
def test_the_fewest_turns_of_a_graph(one):
    made = reduce_formula(Formula.parse(one["text"]))
    found = explore(made.graph, made.heads, made.goal)
    assert (None if found.turns is None else len(found.turns)) == one["turns"]
    if found.turns is None:
        assert found.met == one["met"]


@with_fact("placing")
def test_where_a_graph_is_drawn(one):
    found = place(reduce_formula(Formula.parse(one["text"])).graph)
    assert [found.width, found.height] == one["placing"]["size"]
    assert {str(vertex): list(point) for vertex, point in found.vertices.items()} == one["placing"]["vertices"]
    lines = {str(number): [list(point) for point in line] for number, line in found.lines.items()}
    assert lines == one["placing"]["lines"]
    assert sorted(found.fed) == one["placing"]["fed"]
