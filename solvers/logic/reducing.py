"""Reduce a formula to a constraint graph whose last edge can be reversed if and only if the formula is true.

After Hearn and Demaine (2005), with vertices of two blue edges in addition to ANDs and ORs, and our own quantifiers. A
variable is such a vertex: of its two edges, "it is true" and "it is false", only one at a time may point away. A
literal needed in several places is split by inverted ANDs; a clause joins its literals by ORs; ANDs join the clauses.
Where red and blue meet, an AND converts one into the other: its second red edge comes from a pair of vertices that need
no inflow from it.

The graph can do no more than the formula allows: while an edge of the circuit points onward, the edges that its tail
needs must point to it, back to the variables. So when "all clauses hold" is reversed, each clause has a literal that
its variable confirms. This suffices for existential variables. A universal variable has to show both values. A latch
remembers that the rest held while the variable was false: an OR with its own output fed back as one input, so that it
can be set only by the other input, and reset only while that input is on again. The rest holds for both values if the
latch is set and the rest holds while the variable is true. The latch is valid only for the values that the outer
variables had when it was set: its feedback is an AND that needs, for each of them, "it is true or it is false". While
that points onward the variable cannot change, because its two edges never point away together.

Every reversal can be undone, so a latch can be reset too, by showing the same input again. So a true formula needs only
reversals, though their number grows exponentially with the number of universal variables.
"""

from collections import Counter
from dataclasses import dataclass

from solvers.logic.constraint_graphs import BLUE, ConstraintGraph
from solvers.logic.errors import NothingToReduce
from solvers.logic.formulas import Formula, Quantifier
from solvers.logic.parts import Drawing, End


@dataclass(frozen=True)
class Reduction:
    """The *graph*, its initial *heads*, and the *goal*: (edge, vertex to which it must point).

    *variables*: each variable that occurs in a clause, outermost first, with its vertex; the first edge added there
    means that it is true, the second that it is false.
    """

    graph: ConstraintGraph
    heads: tuple[int, ...]
    goal: tuple[int, int]
    variables: tuple[tuple[int, int], ...]


def reduce_formula(formula: Formula) -> Reduction:
    """Build the graph of *formula*. It has O(literals + variables) vertices and edges.

    Raise NothingToReduce for an empty clause, or no clause.
    """
    if not (formula.clauses and all(formula.clauses)):
        raise NothingToReduce
    clauses = [tuple(dict.fromkeys(clause)) for clause in formula.clauses]
    used = Counter(literal for clause in clauses for literal in clause)
    prefix = [(quantifier, variable) for quantifier, variable in formula.prefix if used[variable] or used[-variable]]
    drawing = Drawing()
    ends: dict[int, list[End]] = {}
    variables = []
    locks: dict[int, End] = {}  # per universal variable: all outer variables have a value and keep it
    lock: End | None = None
    for at, (quantifier, variable) in enumerate(prefix):
        is_for_all = quantifier == Quantifier.FORALL
        is_locked = any(inner == Quantifier.FORALL for inner, _variable in prefix[at + 1 :])
        vertex = drawing.add_vertex()
        variables.append((variable, vertex))
        for literal in (variable, -variable):
            ends[literal] = drawing.split(End(vertex, BLUE), used[literal] + is_for_all + is_locked)
        if is_for_all and lock:
            locks[variable], *others = drawing.split(lock, 1 + is_locked)
            lock = others[0] if others else None
        if is_locked:
            has_value = drawing.any_of([ends[variable].pop(), ends[-variable].pop()])
            lock = drawing.all_of([lock, has_value]) if lock else has_value
    holds = drawing.all_of(drawing.any_of(ends[literal].pop() for literal in clause) for clause in clauses)
    for quantifier, variable in reversed(prefix):
        if quantifier == Quantifier.FORALL:
            holds = drawing.add_latch(holds, ends[-variable].pop(), ends[variable].pop(), locks.get(variable))
    goal = drawing.terminate(holds)
    graph = ConstraintGraph(drawing.vertices, tuple(drawing.edges))
    return Reduction(graph, tuple(drawing.heads), goal, tuple(variables))
