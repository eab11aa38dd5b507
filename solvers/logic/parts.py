"""The parts of a constraint graph that computes: each takes ends of edges to be, and gives new ends.

An end is on while its edge points onward, away from the vertex where it begins; at first all are off.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from solvers.logic.constraint_graphs import BLUE, RED, Edge


@dataclass(frozen=True)
class End:
    """An edge to be: it begins at *vertex*, points back there at first, and is as heavy as *weight*."""

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
        """Join *one* to *head*, where it points; its number."""
        self.edges.append(Edge(one, head, weight))
        self.heads.append(head)
        return len(self.edges) - 1

    def lead(self, end: End, vertex: int) -> int:
        """Lead *end* to *vertex*; its number."""
        return self.edge(vertex, end.vertex, end.weight)

    def joining(self, *ends: End) -> int:
        """A new vertex to which *ends* lead: it comes after those that they come from."""
        vertex = self.vertex()
        for end in ends:
            self.lead(end, vertex)
        return vertex

    def source(self) -> int:
        """A vertex that gives an edge as often as one likes: another feeds it for ever, and it that one."""
        giving, feeding = self.vertex(), self.vertex()
        self.edge(giving, feeding, BLUE)
        self.edge(feeding, giving, BLUE)
        return giving

    def weighing(self, end: End, weight: int) -> End:
        """*end* as an edge of this *weight*."""
        if end.weight == weight:
            return end
        vertex = self.joining(end)
        self.edge(self.source(), vertex, RED)
        return End(vertex, weight)

    def split(self, end: End, count: int) -> list[End]:
        """*end* as *count* ends that may point onward together; without any use it ends here."""
        if count == 0:
            self.stop(end)
            return []
        if count == 1:
            return [end]
        vertex = self.joining(self.weighing(end, BLUE))
        return [*self.split(End(vertex, RED), count // 2), *self.split(End(vertex, RED), count - count // 2)]

    def any_of(self, ends: Iterable[End]) -> End:
        """An end that may point onward while one of *ends* does."""
        first, *others = ends
        for other in others:
            first = self.either(first, other)[0]
        return first

    def either(self, *ends: End) -> tuple[End, int]:
        """An end that may point onward while one of *ends*, at most two, does; and the OR that it comes from."""
        vertex = self.joining(*(self.weighing(end, BLUE) for end in ends))
        return End(vertex, BLUE), vertex

    def all_of(self, ends: Iterable[End]) -> End:
        """An end that may point onward while all of *ends* do."""
        first, *others = ends
        for other in others:
            first = End(self.joining(self.weighing(first, RED), self.weighing(other, RED)), BLUE)
        return first

    def both(self, holds: End, first: End, then: End, lock: End | None) -> End:
        """An end that may point onward when *holds* did with *first* and does with *then*, *lock* all along."""
        before, after = self.split(holds, 2)
        held, memory = self.either(self.all_of([first, before]))
        known, again = self.split(held, 2)
        self.lead(self.weighing(self.all_of([again, lock]) if lock else again, BLUE), memory)
        return self.all_of([known, self.all_of([then, after])])

    def stop(self, end: End) -> tuple[int, int]:
        """Lead *end* to a vertex that needs nothing of it: its number, and that vertex."""
        vertex = self.source()
        return self.lead(end, vertex), vertex
