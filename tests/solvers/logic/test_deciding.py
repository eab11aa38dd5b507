from hypothesis import given

from solvers.logic import Quantifier, decide
from tests.solvers.logic.test_formulas import formulas


def by_table(formula, setting=()):
    """Return the truth of the formula by evaluating every assignment of the variables under the quantifiers."""
    if len(setting) < len(formula.prefix):
        quantifier, variable = formula.prefix[len(setting)]
        both = [by_table(formula, (*setting, (variable, value))) for value in (False, True)]
        return any(both) if quantifier is Quantifier.EXISTS else all(both)
    values = dict(setting)
    return all(any(values[abs(literal)] == (literal > 0) for literal in clause) for clause in formula.clauses)


@given(formulas())
def test_the_truth_of_a_formula_equals_its_truth_table(formula):
    found = decide(formula)
    assert found.is_true == by_table(formula)
    assert found.most_values <= len(formula.prefix)
