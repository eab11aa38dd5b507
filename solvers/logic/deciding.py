"""Whether a quantified formula is true, in polynomial space.

The textbook procedure (Stockmeyer and Meyer, 1973): try false, then true, for each variable in the order of the prefix,
and go on as its quantifier says. What is known on the way is one value for each variable that is set, however long it
takes: space O(variables), time O(2 ** variables · literals) at the worst.
"""

from dataclasses import dataclass

from solvers.logic.formulas import Formula, Quantifier


@dataclass(frozen=True)
class Decision:
    """*nodes*: settings that were looked at; *most_values*: the most values that were held at a time."""

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
    place = {variable: at for at, (_quantifier, variable) in enumerate(formula.prefix)}
    values: list[bool] = []  # of the first variables of the prefix: all that is held
    nodes = most = 0
    while True:
        nodes += 1
        most = max(most, len(values))
        found = _value(formula, place, values)
        if found is None:
            values.append(False)
            continue
        # Back to the last variable for which this does not settle it and true was not tried.
        while values:
            quantifier, _variable = formula.prefix[len(values) - 1]
            was_true = values.pop()
            if found != (quantifier == Quantifier.EXISTS) and not was_true:
                values.append(True)
                break
        else:
            return Decision(found, nodes, most)


def _value(formula: Formula, place: dict[int, int], values: list[bool]) -> bool | None:
    """Whether *values* alone make every clause true, or one false; None while that is open."""
    is_open = False
    for clause in formula.clauses:
        is_true = is_unset = False
        for literal in clause:
            at = place[abs(literal)]
            if at >= len(values):
                is_unset = True
            elif values[at] == (literal > 0):
                is_true = True
                break
        if not is_true and not is_unset:
            return False
        is_open = is_open or not is_true
    return None if is_open else True
