"""Nondeterministic constraint logic (Hearn and Demaine, 2005): a graph whose edges are reversed one by one.

Edges weigh 1 (red) or 2 (blue) and point to one of their ends. The inflow of a vertex is the weight of the edges that
point to it. A configuration gives every vertex an inflow of at least 2, and a move reverses one edge so that this still
holds. Deciding whether an edge can ever be reversed is PSPACE-complete.

A vertex with one blue and two red edges is an AND: the blue edge may point out only while both red ones point in. One
with three blue edges is an OR. Other degrees are allowed too: with two blue edges, one of them may point out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from solvers.logic.errors import BadEdge, BadOrientation, TooLittleInflow

RED, BLUE = 1, 2
LEAST = 2  # minimum inflow of a vertex


@dataclass(frozen=True)
class Edge:
    """An edge between vertices *one* and *other*, which may be the same; its weight is 1 or 2."""

    one: int
    other: int
    weight: int


@dataclass(frozen=True)
class ConstraintGraph:
    """*vertices*, numbered from 0, and *edges*. A configuration is a sequence of heads, one end for each edge.

    Raise BadEdge.
    """

    vertices: int
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        for number, edge in enumerate(self.edges):
            ends = min(edge.one, edge.other) >= 0 and max(edge.one, edge.other) < self.vertices
            if not ends or edge.weight not in (RED, BLUE):
                values = {"one": edge.one, "other": edge.other, "weight": edge.weight}
                raise BadEdge(edge=number, last=self.vertices - 1, **values)

    @cached_property
    def at(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the edges at each vertex."""
        edges_at: list[list[int]] = [[] for _vertex in range(self.vertices)]
        for number, edge in enumerate(self.edges):
            for vertex in {edge.one, edge.other}:
                edges_at[vertex].append(number)
        return tuple(map(tuple, edges_at))

    def other_end(self, number: int, vertex: int) -> int:
        """Return the end of edge *number* that is not *vertex*."""
        edge = self.edges[number]
        return edge.one + edge.other - vertex

    def inflow(self, heads: Sequence[int], vertex: int) -> int:
        """Return the inflow of *vertex*."""
        return sum(self.edges[number].weight for number in self.at[vertex] if heads[number] == vertex)

    def check(self, heads: Sequence[int]) -> None:
        """Raise BadOrientation or TooLittleInflow if *heads* are not a configuration."""
        if len(heads) != len(self.edges):
            raise BadOrientation
        if any(head not in (edge.one, edge.other) for head, edge in zip(heads, self.edges, strict=True)):
            raise BadOrientation
        for vertex in range(self.vertices):
            if (inflow := self.inflow(heads, vertex)) < LEAST:
                raise TooLittleInflow(vertex=vertex, inflow=inflow)
