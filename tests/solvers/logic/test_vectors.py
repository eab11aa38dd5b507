"""Test cases shared with the page: tests/lab/logic.test.js reads the same file."""

from solvers.logic import Formula, decide, explore, reduce_formula
from solvers.logic.placing import place
from tests.solvers.vectors import cases, refused


@cases("logic", "prefix")
def test_a_text_is_this_formula_and_so_true(case):
    formula = Formula.parse(case["text"])
    assert [[quantifier.value, variable] for quantifier, variable in formula.prefix] == case["prefix"]
    assert [list(clause) for clause in formula.clauses] == case["clauses"]
    assert str(formula) == case["written"]
    found = decide(formula)
    assert [found.is_true, found.nodes, found.most_values] == case["decision"]


@cases("logic", "error")
def test_a_text_is_refused(case):
    with refused(case["error"]):
        Formula.parse(case["text"])


@cases("logic", "unreduced")
def test_a_formula_is_no_graph(case):
    with refused({"code": case["unreduced"]}):
        reduce_formula(Formula.parse(case["text"]))


@cases("logic", "graph")
def test_the_graph_of_a_formula(case):
    made = reduce_formula(Formula.parse(case["text"]))
    found = {
        "vertices": made.graph.vertices,
        "edges": [[edge.one, edge.other, edge.weight] for edge in made.graph.edges],
        "heads": list(made.heads),
        "goal": list(made.goal),
        "variables": [list(variable) for variable in made.variables],
    }
    assert found == case["graph"]


@cases("logic", "turns")
def test_the_fewest_turns_of_a_graph(case):
    made = reduce_formula(Formula.parse(case["text"]))
    found = explore(made.graph, made.heads, made.goal)
    assert (None if found.turns is None else len(found.turns)) == case["turns"]
    if found.turns is None:
        assert found.met == case["met"]


@cases("logic", "placing")
def test_where_a_graph_is_drawn(case):
    found = place(reduce_formula(Formula.parse(case["text"])).graph)
    assert [found.width, found.height] == case["placing"]["size"]
    assert {str(vertex): list(point) for vertex, point in found.vertices.items()} == case["placing"]["vertices"]
    lines = {str(number): [list(point) for point in line] for number, line in found.lines.items()}
    assert lines == case["placing"]["lines"]
    assert sorted(found.fed) == case["placing"]["fed"]
