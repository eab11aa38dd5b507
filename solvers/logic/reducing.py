"""A formula as a constraint graph: its last edge can be turned exactly when the formula can be made true.

After Hearn and Demaine (2005), with vertices of two blue edges besides ANDs and ORs. A variable is such a vertex: of
its two edges, "it is true" and "it is false", one at a time may point away. A literal that stands in several clauses
is split by ANDs the other way round; a clause joins its literals by ORs; ANDs join the clauses. Where red and blue
meet, an AND changes one into the other: its second red edge comes from a pair of vertices that need nothing of it.

Why no more is possible than the formula allows: while an edge on the way points onward, what its tail needs must point
there, back to the variables. So when the last edge is turned, each clause has a literal whose variable says so.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from solvers.logic.constraint_graphs import BLUE, RED, ConstraintGraph, Edge
from solvers.logic.errors import ManyNeeded
from solvers.logic.formulas import Formula, Quantifier


@dataclass(frozen=True)
class Reduction:
    """The *graph*, the *heads* it begins with, and the *goal*: which edge has to point to which vertex."""

    graph: ConstraintGraph
    heads: tuple[int, ...]
    goal: tuple[int, int]


def reduce_formula(formula: Formula) -> Reduction:
    """Make a graph of *formula*, whose variables are all existential. Vertices and edges are O(literals).

    Raise ManyNeeded for a universal variable, an empty clause, or no clause.
    """
    if not (formula.clauses and all(formula.clauses)):
        raise ManyNeeded
    if any(quantifier is Quantifier.FORALL for quantifier, _variable in formula.prefix):
        raise ManyNeeded
    clauses = [tuple(dict.fromkeys(clause)) for clause in formula.clauses]
    used = Counter(literal for clause in clauses for literal in clause)
    drawing = _Drawing()
    ends: dict[int, list[_End]] = {}
    for variable in sorted({abs(literal) for literal in used}):
        vertex = drawing.vertex()
        for literal in (variable, -variable):
            ends[literal] = drawing.split(_End(vertex, BLUE), used[literal])
    joined = [drawing.any_of([ends[literal].pop() for literal in clause]) for clause in clauses]
    last = drawing.all_of(joined)
    goal = drawing.stop(last)
    return Reduction(ConstraintGraph(drawing.vertices, tuple(drawing.edges)), tuple(drawing.heads), goal)


@dataclass(frozen=True)
class _End:
    """An edge to be: it begins at *vertex*, points back there at first, and is as heavy as *weight*."""

    vertex: int
    weight: int


@dataclass
class _Drawing:
    """A graph under construction."""

    vertices: int = 0
    edges: list[Edge] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)

    def vertex(self) -> int:
        self.vertices += 1
        return self.vertices - 1

    def edge(self, one: int, head: int, weight: int) -> int:
        """Join *one* to *head*, where it points; its number."""
        self.edges.append(Edge(one, head, weight))
        self.heads.append(head)
        return len(self.edges) - 1

    def lead(self, end: _End, vertex: int) -> int:
        """Lead *end* to *vertex*; its number."""
        return self.edge(vertex, end.vertex, end.weight)

    def source(self) -> int:
        """A vertex that gives an edge as often as one likes: another feeds it for ever, and it that one."""
        giving, feeding = self.vertex(), self.vertex()
        self.edge(giving, feeding, BLUE)
        self.edge(feeding, giving, BLUE)
        return giving

    def turn(self, end: _End) -> _End:
        """*end* as an edge of the other weight: red becomes blue, blue red."""
        vertex = self.vertex()
        self.lead(end, vertex)
        self.edge(self.source(), vertex, RED)
        return _End(vertex, BLUE if end.weight == RED else RED)

    def split(self, end: _End, count: int) -> list[_End]:
        """*end*, which is blue, as *count* blue ones that may point onward together; without any use it ends here."""
        if count == 0:
            self.stop(end)
            return []
        if count == 1:
            return [end]
        vertex = self.vertex()
        self.lead(end, vertex)
        parts = [self.turn(_End(vertex, RED)) for _part in range(2)]
        return [*self.split(parts[0], count // 2), *self.split(parts[1], count - count // 2)]

    def any_of(self, ends: Iterable[_End]) -> _End:
        """A blue edge that may point onward while one of *ends*, which are blue, does."""
        first, *others = ends
        for other in others:
            vertex = self.vertex()
            self.lead(first, vertex)
            self.lead(other, vertex)
            first = _End(vertex, BLUE)
        return first

    def all_of(self, ends: Iterable[_End]) -> _End:
        """A blue edge that may point onward while all of *ends*, which are blue, do."""
        first, *others = ends
        for other in others:
            vertex = self.vertex()
            self.lead(self.turn(first), vertex)
            self.lead(self.turn(other), vertex)
            first = _End(vertex, BLUE)
        return first

    def stop(self, end: _End) -> tuple[int, int]:
        """Lead *end* to a vertex that needs nothing of it: its number, and that vertex."""
        vertex = self.source()
        return self.lead(end, vertex), vertex
