import re
from itertools import combinations, combinations_with_replacement, pairwise, product

import pytest

from solvers.logic import Formula, explore, reduce_formula
from solvers.logic.draw import in_signs, name_of, svg
from solvers.logic.formulas import Quantifier
from solvers.logic.placing import place

DIFFERENT = Formula.parse("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n")


def test_a_formula_is_written_by_hand():
    assert in_signs(DIFFERENT) == "∀x ∃y: (x ∨ y) ∧ (¬x ∨ ¬y)"
    assert [name_of(variable) for variable in (1, 4, 5)] == ["x", "w", "x5"]


def test_at_first_all_edges_point_back_and_turned_ones_onward():
    made = reduce_formula(DIFFERENT)
    assert ' on"' not in svg(DIFFERENT, made)
    heads = list(made.heads)
    for number in explore(made.graph, made.heads, made.goal).turns:
        heads[number] = made.graph.other_end(number, heads[number])
    onward = svg(DIFFERENT, made, heads=heads).count(' on"')
    drawn = place(made.graph).lines
    assert onward == sum(heads[number] == made.graph.edges[number].one for number in drawn) > 0


def test_what_feeds_for_ever_is_not_drawn_and_all_else_is():
    made = reduce_formula(DIFFERENT)
    placing = place(made.graph)
    fed = len(placing.fed)
    assert len(placing.vertices) == made.graph.vertices - 2 * fed - 1  # and what feeds the goal
    assert len(placing.lines) == len(made.graph.edges) - 3 * fed - 2


def clauses_of(variables):
    literals = [literal for variable in range(1, variables + 1) for literal in (variable, -variable)]
    return [clause for size in range(1, len(literals) + 1) for clause in combinations(literals, size)]


@pytest.mark.parametrize("prefix", [("a",), ("e",), *product("ae", repeat=2)], ids="".join)
def test_every_small_formula_is_drawn_with_each_edge_on_a_line_of_its_own(prefix):
    """Also one in which a variable's two edges lead to the same clause."""
    prefix = tuple((Quantifier(kind), variable) for variable, kind in enumerate(prefix, 1))
    known = clauses_of(len(prefix))
    for clauses in [*product(known), *combinations_with_replacement(known, 2)]:
        formula = Formula(prefix, clauses)
        made = reduce_formula(formula)
        assert svg(formula, made)
        lines = place(made.graph).lines.values()
        assert len(set(lines)) == len(lines)


def test_neighbours_in_a_layer_keep_their_distance():
    placing = place(reduce_formula(DIFFERENT).graph)
    layers = {}
    for x, y in placing.vertices.values():
        layers.setdefault(y, []).append(x)
    for row in layers.values():
        row.sort()
        assert all(right - left > 0.99 for left, right in pairwise(row))


def test_a_title_is_escaped():
    assert "<title>&lt;x&gt;</title>" in svg(DIFFERENT, reduce_formula(DIFFERENT), title="<x>")
    assert re.search(r'viewBox="[-. 0-9]+" width="\d+" height="\d+"', svg(DIFFERENT, reduce_formula(DIFFERENT)))
