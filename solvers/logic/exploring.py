"""Find the fewest reversals that lead a constraint graph to a goal, or prove that there are none.

A search over configurations, cheapest first (Dijkstra, 1959), with three reductions that lose no shortest solution.
Omitted are edges that can never be reversed, because the edges that must be reversed first wait for them; and edges
that point away from a vertex with enough inflow, because reversing them would help no other edge. And chains of edges
are reversed as one: if two edges meet at a vertex for which either is enough, an edge that has left its far end helps
no other edge until the next is reversed as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_

from solvers.logic.constraint_graphs import LEAST, ConstraintGraph
from solvers.logic.errors import TooManyConfigurations

# Conditions for a row to leave its near end, and its far end: any (mask, bits) with *bits* under *mask*.
Ways = tuple[list[tuple[int, int]], list[tuple[int, int]]]
# Maximum bits that decide which rows of a part can be reversed; with more, fewer configurations share a result.
BITS = 16


@dataclass(frozen=True)
class Exploration:
    """*turns*: the edges of a shortest solution in order, or None if there is none; *met*: configurations found.

    Configurations that differ only in what the search omits are counted once.
    """

    turns: tuple[int, ...] | None
    met: int


def reach(graph: ConstraintGraph, heads: Sequence[int], goal: tuple[int, int]) -> tuple[int, ...] | None:
    """Return the turns found by `explore`."""
    return explore(graph, heads, goal).turns


def explore(
    graph: ConstraintGraph, heads: Sequence[int], goal: tuple[int, int], *, most: int | None = None
) -> Exploration:
    """Search for the fewest reversals from *heads* until the edge `goal[0]` points to the vertex `goal[1]`.

    Time and space O(2 ** edges · edges) in the worst case. Raise BadOrientation or TooLittleInflow if *heads* are not a
    configuration, and TooManyConfigurations if more than *most* were found.
    """
    graph.check(heads)
    edge, vertex = goal
    if heads[edge] == vertex:
        return Exploration((), 1)
    rows = rows_of(graph, heads, edge)
    wanted = next((1 << at for at, row in enumerate(rows) if row.edges == (edge,)), 0)
    parts = _group_rows(rows, [_reversal_conditions(graph, heads, rows, at) for at in range(len(rows))])
    # A configuration as bits: whether each row points to its far end. Those of equal cost are queued together.
    cheapest, parent = {0: 0}, {0: 0}
    waiting = {0: [0]}
    while waiting:
        cost = min(waiting)
        for state in sorted(waiting.pop(cost)):
            if state & wanted:
                return Exploration(_trace_turns(rows, parent, state), len(cheapest))
            if cost > cheapest[state]:
                continue
            for part in parts:
                for bit, length in part[state & part.mask]:
                    after, new_cost = state ^ bit, cost + length
                    known = cheapest.get(after)
                    if known is not None and known <= new_cost:
                        continue
                    if known is None and len(cheapest) == most:
                        raise TooManyConfigurations(most=most)
                    cheapest[after], parent[after] = new_cost, state
                    waiting.setdefault(new_cost, []).append(after)
    return Exploration(None, len(cheapest))


@dataclass(frozen=True)
class Row:
    """A chain of *edges* reversed in order: initially all point towards *near*, finally all towards *far*."""

    edges: tuple[int, ...]
    near: int
    far: int


def rows_of(graph: ConstraintGraph, heads: Sequence[int], goal: int) -> tuple[Row, ...]:
    """Return the rows that a search must consider; the edge *goal* is a separate row, if it can be reversed at all."""
    turning = reversible_edges(graph, heads, goal)
    rows = [Row((number,), heads[number], graph.other_end(number, heads[number])) for number in turning]
    for vertex in range(graph.vertices):
        fixed = _fixed_inflow(graph, heads, turning, vertex)
        at = [number for number in graph.at[vertex] if number in turning]
        if len(at) != 2 or goal in at or fixed >= LEAST or fixed + min(graph.edges[one].weight for one in at) < LEAST:
            continue
        first = next((row for row in rows if row.far == vertex and row.edges[-1] in at), None)
        following = next((row for row in rows if row.near == vertex and row.edges[0] in at), None)
        if first and following and first.near != following.far:
            rows = [row for row in rows if row not in (first, following)]
            rows.append(Row(first.edges + following.edges, first.near, following.far))
    return tuple(rows)


def reversible_edges(graph: ConstraintGraph, heads: Sequence[int], goal: int) -> tuple[int, ...]:
    """Return the numbers of the edges that a search must consider; loops are excluded."""
    free: set[int] = set()

    def can_turn(number: int) -> bool:
        head = heads[number]
        others = (other for other in graph.at[head] if other != number and (other in free or heads[other] == head))
        return sum(graph.edges[other].weight for other in others) >= LEAST

    between = [number for number, edge in enumerate(graph.edges) if edge.one != edge.other]
    while more := {number for number in between if number not in free and can_turn(number)}:
        free |= more
    settled = {vertex for vertex in range(graph.vertices) if _fixed_inflow(graph, heads, free, vertex) >= LEAST}
    return tuple(
        number for number in sorted(free) if number == goal or graph.other_end(number, heads[number]) not in settled
    )


def _fixed_inflow(graph: ConstraintGraph, heads: Sequence[int], turning: Sequence[int] | set[int], vertex: int) -> int:
    """Return the inflow of *vertex* from edges that are never reversed."""
    fixed = (number for number in graph.at[vertex] if number not in turning and heads[number] == vertex)
    return sum(graph.edges[number].weight for number in fixed)


def _reversal_conditions(graph: ConstraintGraph, heads: Sequence[int], rows: Sequence[Row], at: int) -> Ways:
    """Return the conditions under which row *at* can be reversed."""
    turning = {number for row in rows for number in row.edges}

    def conditions(vertex: int) -> list[tuple[int, int]]:
        fixed = _fixed_inflow(graph, heads, turning, vertex)
        pointing = [first for first in _row_ends_at(graph, rows, vertex) if first[1] != 1 << at]
        if fixed >= LEAST:
            return [(0, 0)]
        sufficient = [(mask, bits) for weight, mask, bits in pointing if fixed + weight >= LEAST]
        insufficient = [(mask, bits) for weight, mask, bits in pointing if fixed + weight < LEAST]
        if fixed + 1 >= LEAST or not insufficient:
            return sufficient
        return sufficient + [
            (first | second, first_bits | second_bits)
            for (first, first_bits), (second, second_bits) in combinations(insufficient, 2)
        ]

    return conditions(rows[at].near), conditions(rows[at].far)


def _row_ends_at(graph: ConstraintGraph, rows: Sequence[Row], vertex: int) -> Iterator[tuple[int, int, int]]:
    """Yield for each row that ends at *vertex* its weight there, its bit, and the bit's value while it points there."""
    for at, row in enumerate(rows):
        if row.near == vertex:
            yield graph.edges[row.edges[0]].weight, 1 << at, 0
        if row.far == vertex:
            yield graph.edges[row.edges[-1]].weight, 1 << at, 1 << at


class Part(dict[int, tuple[tuple[int, int], ...]]):
    """Rows that depend only on the bits under *mask*. Maps these bits to the reversible rows as (bit, length).

    Each result is computed once, because most configurations differ only elsewhere.
    """

    def __init__(self, mask: int, rows: Sequence[tuple[int, int, Ways]]) -> None:
        super().__init__()
        self.mask = mask
        self.rows = rows

    def __missing__(self, state: int) -> tuple[tuple[int, int], ...]:
        self[state] = tuple(
            (bit, length)
            for bit, length, ways in self.rows
            if any(state & mask == bits for mask, bits in ways[state & bit > 0])
        )
        return self[state]


def _group_rows(rows: Sequence[Row], ways: Sequence[Ways]) -> list[Part]:
    """Group neighbouring rows into parts: their conditions often use the same bits."""
    parts: list[Part] = []
    for at, row in enumerate(rows):
        mask = reduce(or_, (condition for either in ways[at] for condition, _bits in either), 1 << at)
        turn = (1 << at, len(row.edges), ways[at])
        if parts and (parts[-1].mask | mask).bit_count() <= BITS:
            parts[-1] = Part(parts[-1].mask | mask, [*parts[-1].rows, turn])
        else:
            parts.append(Part(mask, [turn]))
    return parts


def _trace_turns(rows: Sequence[Row], parent: dict[int, int], state: int) -> tuple[int, ...]:
    turns: list[int] = []
    while state:
        after, state = state, parent[state]
        at = (state ^ after).bit_length() - 1
        # Towards the far end the first edge is reversed first. This list is built from the last turn to the first.
        turns.extend(rows[at].edges if state >> at & 1 else reversed(rows[at].edges))
    return tuple(reversed(turns))
