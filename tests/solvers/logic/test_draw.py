import re
from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest

from solvers.logic import Formula, explore, reduce_formula
from solvers.logic.draw import in_signs, name_of, svg
from solvers.logic.formulas import Quantifier
from solvers.logic.placing import place
from tests import sizes

DIFFERENT = Formula.parse("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n")


def test_a_formula_is_written_by_hand():
    assert in_signs(DIFFERENT) == "∀x ∃y: (x ∨ y) ∧ (¬x ∨ ¬y)"
    assert [name_of(variable) for variable in (1, 4, 5)] == ["x", "w", "x5"]


def test_edges_are_drawn_by_colour_and_vertices_by_kind():
    drawn = Counter(re.findall('class="(?:edge|vertex) (\\w+)', svg(DIFFERENT, reduce_formula(DIFFERENT))))
    edges, kinds = {"blue": 14, "red": 11}, {"turn": 6, "split": 4, "and": 4, "or": 3, "variable": 2, "goal": 1}
    assert drawn == edges | kinds


def test_at_first_all_edges_point_back_and_turned_ones_onward():
    made = reduce_formula(DIFFERENT)
    assert ' on"' not in svg(DIFFERENT, made)
    heads = list(made.heads)
    for number in explore(made.graph, made.heads, made.goal).turns:
        heads[number] = made.graph.other_end(number, heads[number])
    onward = svg(DIFFERENT, made, heads=heads).count(' on"')
    drawn = place(made.graph).lines
    assert onward == sum(heads[number] == made.graph.edges[number].one for number in drawn) > 0


def test_each_arrowhead_lies_on_its_edge():
    def points(path):
        return [tuple(map(float, pair.split())) for pair in re.split("[MLZ]", path) if pair]

    drawn = re.findall('<path d="([^"]+)"/><path class="tip" d="([^"]+)"', svg(DIFFERENT, reduce_formula(DIFFERENT)))
    assert len(drawn) == 25
    for line, tip in drawn:
        for edge, corners in zip(zip(*points(line), strict=True), zip(*points(tip), strict=True), strict=True):
            assert min(edge) - 0.2 < min(corners) <= max(corners) < max(edge) + 0.2


def clauses_of(variables):
    literals = [literal for variable in range(1, variables + 1) for literal in (variable, -variable)]
    return [clause for size in range(1, len(literals) + 1) for clause in combinations(literals, size)]


@pytest.mark.parametrize("prefix", sizes.cases(["ea"], ["a", "e", *map("".join, product("ae", repeat=2))]))
def test_every_small_formula_is_drawn_with_each_edge_on_a_line_of_its_own(prefix):
    """Including a formula in which both edges of a variable lead to the same clause."""
    prefix = tuple((Quantifier(kind), variable) for variable, kind in enumerate(prefix, 1))
    known = clauses_of(len(prefix))
    for clauses in [*product(known), *combinations_with_replacement(known, 2)]:
        formula = Formula(prefix, clauses)
        made = reduce_formula(formula)
        assert svg(formula, made)
        lines = place(made.graph).lines.values()
        assert len(set(lines)) == len(lines)


def test_a_title_is_escaped():
    assert "<title>&lt;x&gt;</title>" in svg(DIFFERENT, reduce_formula(DIFFERENT), title="<x>")
    assert re.search(r'viewBox="[-. 0-9]+" width="\d+" height="\d+"', svg(DIFFERENT, reduce_formula(DIFFERENT)))
