from hypothesis import given

from solvers.logic import Formula, Quantifier, decide
from tests.solvers.logic.test_formulas import formulas


def by_table(formula, setting=()):
    """The oracle: every setting of all variables, and what the quantifiers say of them."""
    if len(setting) < len(formula.prefix):
        quantifier, variable = formula.prefix[len(setting)]
        both = [by_table(formula, (*setting, (variable, value))) for value in (False, True)]
        return any(both) if quantifier is Quantifier.EXISTS else all(both)
    values = dict(setting)
    return all(any(values[abs(literal)] == (literal > 0) for literal in clause) for clause in formula.clauses)


@given(formulas())
def test_a_formula_is_as_true_as_its_table_says(formula):
    found = decide(formula)
    assert found.is_true == by_table(formula)
    assert found.most_values <= len(formula.prefix)


def equal_pairs(count):
    """For each of *count* universal variables there is one that equals it: all settings are looked at."""
    pairs = [(2 * pair + 1, 2 * pair + 2) for pair in range(count)]
    prefix = [one for x, y in pairs for one in ((Quantifier.FORALL, x), (Quantifier.EXISTS, y))]
    return Formula(tuple(prefix), tuple(clause for x, y in pairs for clause in ((x, -y), (-x, y))))


def test_space_grows_as_the_variables_do_while_time_doubles():
    found = [decide(equal_pairs(count)) for count in (2, 4, 8)]
    assert all(one.is_true for one in found)
    assert [one.most_values for one in found] == [4, 8, 16]
    assert found[2].nodes > 2**8 > found[1].nodes
