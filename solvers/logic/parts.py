"""Parts of a constraint graph that computes: each takes open ends of edges, and returns new ones.

An end is on while its edge points onward, away from the vertex where it begins; initially all are off.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from solvers.logic.constraint_graphs import BLUE, RED, Edge


@dataclass(frozen=True)
class End:
    """An open edge that begins at *vertex*, initially points back there, and has this *weight*."""

    vertex: int
    weight: int


@dataclass
class Drawing:
    """A graph under construction."""

    vertices: int = 0
    edges: list[Edge] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)

    def vertex(self) -> int:
        self.vertices += 1
        return self.vertices - 1

    def edge(self, one: int, head: int, weight: int) -> int:
        """Add an edge from *one* that points to *head*; return its number."""
        self.edges.append(Edge(one, head, weight))
        self.heads.append(head)
        return len(self.edges) - 1

    def lead(self, end: End, vertex: int) -> int:
        """Attach *end* to *vertex*; return its edge's number."""
        return self.edge(vertex, end.vertex, end.weight)

    def joining(self, *ends: End) -> int:
        """Add and return a vertex to which *ends* are attached; its number is higher than those of their vertices."""
        vertex = self.vertex()
        for end in ends:
            self.lead(end, vertex)
        return vertex

    def source(self) -> int:
        """Add a vertex with an inexhaustible inflow: it and a second vertex feed each other permanently. Return it."""
        giving, feeding = self.vertex(), self.vertex()
        self.edge(giving, feeding, BLUE)
        self.edge(feeding, giving, BLUE)
        return giving

    def weighing(self, end: End, weight: int) -> End:
        """Return *end* converted to an edge of this *weight*."""
        if end.weight == weight:
            return end
        vertex = self.joining(end)
        self.edge(self.source(), vertex, RED)
        return End(vertex, weight)

    def split(self, end: End, count: int) -> list[End]:
        """Return *count* ends that may point onward together with *end*; if *count* is 0, terminate it."""
        if count == 0:
            self.stop(end)
            return []
        if count == 1:
            return [end]
        vertex = self.joining(self.weighing(end, BLUE))
        return [*self.split(End(vertex, RED), count // 2), *self.split(End(vertex, RED), count - count // 2)]

    def any_of(self, ends: Iterable[End]) -> End:
        """Return an end that may point onward while any of *ends* does."""
        first, *others = ends
        for other in others:
            first = self.either(first, other)[0]
        return first

    def either(self, *ends: End) -> tuple[End, int]:
        """Return an end that may point onward while one of at most two *ends* does, and its OR vertex."""
        vertex = self.joining(*(self.weighing(end, BLUE) for end in ends))
        return End(vertex, BLUE), vertex

    def all_of(self, ends: Iterable[End]) -> End:
        """Return an end that may point onward while all of *ends* do."""
        first, *others = ends
        for other in others:
            first = End(self.joining(self.weighing(first, RED), self.weighing(other, RED)), BLUE)
        return first

    def both(self, holds: End, first: End, then: End, lock: End | None) -> End:
        """Return an end that may be on if *holds* was on with *first* and is on with *then*, *lock* throughout."""
        before, after = self.split(holds, 2)
        held, memory = self.either(self.all_of([first, before]))
        known, again = self.split(held, 2)
        self.lead(self.weighing(self.all_of([again, lock]) if lock else again, BLUE), memory)
        return self.all_of([known, self.all_of([then, after])])

    def stop(self, end: End) -> tuple[int, int]:
        """Attach *end* to a vertex that needs no inflow from it; return the edge's number and that vertex."""
        vertex = self.source()
        return self.lead(end, vertex), vertex
