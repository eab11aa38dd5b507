"""Decide whether a quantified formula is true, in polynomial space.

The textbook procedure (Stockmeyer and Meyer, 1973): for each variable in the order of the prefix try false, then true,
and continue as its quantifier demands. Only one value per assigned variable is stored: space O(variables), time
O(2 ** variables · literals) in the worst case.
"""

from dataclasses import dataclass

from solvers.logic.formulas import Formula, Quantifier


@dataclass(frozen=True)
class Decision:
    """Result of `decide`. *nodes*: partial assignments examined; *most_values*: the most values stored at once."""

    is_true: bool
    nodes: int
    most_values: int


def decide(formula: Formula) -> Decision:
    """Decide *formula*.

    >>> decide(Formula.parse("p cnf 2 2\\na 1 0\\ne 2 0\\n1 2 0\\n-1 -2 0\\n")).is_true
    True
    >>> decide(Formula.parse("p cnf 2 2\\ne 2 0\\na 1 0\\n1 2 0\\n-1 -2 0\\n")).is_true
    False
    """
    index_of = {variable: index for index, (_quantifier, variable) in enumerate(formula.prefix)}
    values: list[bool] = []  # of the first variables of the prefix: the only state stored
    nodes = most = 0
    while True:
        nodes += 1
        most = max(most, len(values))
        value = _evaluate(formula, index_of, values)
        if value is None:
            values.append(False)
            continue
        # Backtrack to the last variable whose quantifier is not settled by this and for which true was not tried.
        while values:
            quantifier, _variable = formula.prefix[len(values) - 1]
            was_true = values.pop()
            if value != (quantifier == Quantifier.EXISTS) and not was_true:
                values.append(True)
                break
        else:
            return Decision(value, nodes, most)


def _evaluate(formula: Formula, index_of: dict[int, int], values: list[bool]) -> bool | None:
    """Return True if *values* alone make every clause true, False if they make one false, else None."""
    is_open = False
    for clause in formula.clauses:
        is_true = is_unset = False
        for literal in clause:
            index = index_of[abs(literal)]
            if index >= len(values):
                is_unset = True
            elif values[index] == (literal > 0):
                is_true = True
                break
        if not is_true and not is_unset:
            return False
        is_open = is_open or not is_true
    return None if is_open else True
