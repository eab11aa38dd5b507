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

    def add_vertex(self) -> int:
        self.vertices += 1
        return self.vertices - 1

    def add_edge(self, one: int, head: int, weight: int) -> int:
        """Add an edge from *one* that points to *head*; return its number."""
        self.edges.append(Edge(one, head, weight))
        self.heads.append(head)
        return len(self.edges) - 1

    def attach(self, end: End, vertex: int) -> int:
        """Attach *end* to *vertex*; return its edge's number."""
        return self.add_edge(vertex, end.vertex, end.weight)

    def add_joint(self, *ends: End) -> int:
        """Add and return a vertex to which *ends* are attached; its number is higher than those of their vertices."""
        vertex = self.add_vertex()
        for end in ends:
            self.attach(end, vertex)
        return vertex

    def add_source(self) -> int:
        """Add a vertex with an inexhaustible inflow: it and a second vertex feed each other permanently. Return it."""
        giving, feeding = self.add_vertex(), self.add_vertex()
        self.add_edge(giving, feeding, BLUE)
        self.add_edge(feeding, giving, BLUE)
        return giving

    def convert_weight(self, end: End, weight: int) -> End:
        """Return *end* converted to an edge of this *weight*."""
        if end.weight == weight:
            return end
        vertex = self.add_joint(end)
        self.add_edge(self.add_source(), vertex, RED)
        return End(vertex, weight)

    def split(self, end: End, count: int) -> list[End]:
        """Return *count* ends that may point onward together with *end*; if *count* is 0, terminate it."""
        if count == 0:
            self.terminate(end)
            return []
        if count == 1:
            return [end]
        vertex = self.add_joint(self.convert_weight(end, BLUE))
        return [*self.split(End(vertex, RED), count // 2), *self.split(End(vertex, RED), count - count // 2)]

    def any_of(self, ends: Iterable[End]) -> End:
        """Return an end that may point onward while any of *ends* does."""
        first, *others = ends
        for other in others:
            first = self.either(first, other)[0]
        return first

    def either(self, *ends: End) -> tuple[End, int]:
        """Return an end that may point onward while one of at most two *ends* does, and its OR vertex."""
        vertex = self.add_joint(*(self.convert_weight(end, BLUE) for end in ends))
        return End(vertex, BLUE), vertex

    def all_of(self, ends: Iterable[End]) -> End:
        """Return an end that may point onward while all of *ends* do."""
        first, *others = ends
        for other in others:
            first = End(self.add_joint(self.convert_weight(first, RED), self.convert_weight(other, RED)), BLUE)
        return first

    def add_latch(self, holds: End, first: End, second: End, lock: End | None) -> End:
        """Return an end that may be on if *holds* was on with *first* and is on with *second*, *lock* throughout."""
        before, after = self.split(holds, 2)
        latched, latch_vertex = self.either(self.all_of([first, before]))
        output, again = self.split(latched, 2)
        self.attach(self.convert_weight(self.all_of([again, lock]) if lock else again, BLUE), latch_vertex)
        return self.all_of([output, self.all_of([second, after])])

    def terminate(self, end: End) -> tuple[int, int]:
        """Attach *end* to a vertex that needs no inflow from it; return the edge's number and that vertex."""
        vertex = self.add_source()
        return self.attach(end, vertex), vertex
