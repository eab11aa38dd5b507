"""A formula as a constraint graph: its last edge can be turned exactly when the formula is true.

After Hearn and Demaine (2005), with vertices of two blue edges besides ANDs and ORs, and quantifiers of our own. A
variable is such a vertex: of its two edges, "it is true" and "it is false", one at a time may point away. A literal
that is needed in several places is split by ANDs the other way round; a clause joins its literals by ORs; ANDs join the
clauses. Where red and blue meet, an AND changes one into the other: its second red edge comes from a pair of vertices
that need nothing of it.

Why no more is possible than the formula allows: while an edge on the way points onward, what its tail needs must point
there, back to the variables. So when "all clauses hold" is turned, each has a literal whose variable says so. That is
all for variables that exist. A variable that stands for all values has to show both. A latch remembers that the rest
held while the variable was false: an OR of which one input is its own output, led back, so that it can be set only by
the other input, and be taken back only while that one points there again. The rest holds for both values where the
latch is set and the rest holds while the variable is true. What is remembered counts only for the values that the
variables further out had then: the way back of the latch is an AND that needs, for each of them, "it is true or it is
false". While that points onward the variable cannot change, for its two edges never point away together.

As every turn can be taken back, so can a memory: by showing the same once more. So a formula that is true needs no more
than turns, though their number grows exponentially with the variables that stand for all values.
"""

from collections import Counter
from dataclasses import dataclass

from solvers.logic.constraint_graphs import BLUE, ConstraintGraph
from solvers.logic.errors import NothingToReduce
from solvers.logic.formulas import Formula, Quantifier
from solvers.logic.parts import Drawing, End


@dataclass(frozen=True)
class Reduction:
    """The *graph*, the *heads* it begins with, and the *goal*: which edge has to point to which vertex.

    *variables*: each that is in a clause, outermost first, with its vertex; the first edge made there says that it is
    true, the second that it is false.
    """

    graph: ConstraintGraph
    heads: tuple[int, ...]
    goal: tuple[int, int]
    variables: tuple[tuple[int, int], ...]


def reduce_formula(formula: Formula) -> Reduction:
    """Make a graph of *formula*. Vertices and edges are O(literals + variables).

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
    locks: dict[int, End] = {}  # of a variable for all values: those further out have a value, and keep it
    lock: End | None = None
    for at, (quantifier, variable) in enumerate(prefix):
        is_for_all = quantifier == Quantifier.FORALL
        is_locked = any(inner == Quantifier.FORALL for inner, _variable in prefix[at + 1 :])
        vertex = drawing.vertex()
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
            holds = drawing.both(holds, ends[-variable].pop(), ends[variable].pop(), locks.get(variable))
    goal = drawing.stop(holds)
    graph = ConstraintGraph(drawing.vertices, tuple(drawing.edges))
    return Reduction(graph, tuple(drawing.heads), goal, tuple(variables))
