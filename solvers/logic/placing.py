"""Place the vertices and edges of a computing graph for drawing: in layers, from the variables down to the goal.

After Sugiyama, Tagawa and Toda (1981): a vertex is below all its inputs, an edge that crosses layers bends in each,
and layers are ordered by the barycentre of their neighbours, in sweeps down and up. Not for arbitrary
graphs: an edge leads from its second end to its first, as `parts` creates them, or back if the second is later.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from solvers.logic.constraint_graphs import RED, ConstraintGraph

_SWEEPS = 8
_SETTLINGS = 12

Point = tuple[float, float]


@dataclass(frozen=True)
class Placing:
    """*vertices* and *lines* of the drawn edges, in units from the top left; a line begins at its input end.

    Vertices of *fed* have a permanent inflow from a pair of vertices; this pair and its edge are not drawn.
    """

    width: float
    height: float
    vertices: dict[int, Point]
    lines: dict[int, tuple[Point, ...]]
    fed: frozenset[int]


def place(graph: ConstraintGraph) -> Placing:
    """Place the drawn part of *graph*. Neighbours in a layer are at least 1 apart, layers exactly 1."""
    hidden, fed = _find_feeders(graph)
    nodes = [vertex for vertex in range(graph.vertices) if vertex not in hidden]
    drawn = [number for number, edge in enumerate(graph.edges) if not {edge.one, edge.other} & hidden]
    layer_of: dict[int, int] = {}
    for vertex in nodes:
        above = Counter(graph.edges[at].other for at in drawn if _is_input(graph, at, vertex))
        # Two parallel edges must each bend in a layer between, or they would be drawn on top of each other.
        layer_of[vertex] = max((layer_of[other] + min(edges, 2) for other, edges in above.items()), default=0)
    layers: list[list[_Node]] = [[] for _layer in range(max(layer_of.values()) + 1)]
    node_of = {}
    for vertex in nodes:
        node_of[vertex] = _Node(layer_of[vertex])
        layers[layer_of[vertex]].append(node_of[vertex])
    chains = {}
    for number in drawn:
        edge = graph.edges[number]
        upper, lower = sorted((edge.other, edge.one))
        chain = [node_of[upper], *(_Node(at) for at in range(layer_of[upper] + 1, layer_of[lower])), node_of[lower]]
        for bend in chain[1:-1]:
            layers[bend.layer].append(bend)
        for upper_node, lower_node in pairwise(chain):
            upper_node.below.append(lower_node)
            lower_node.above.append(upper_node)
        chains[number] = chain if edge.other == upper else chain[::-1]
    _order_layers(layers)
    left = min(node.x for layer in layers for node in layer)
    width = max(node.x for layer in layers for node in layer) - left

    def point(node: "_Node") -> Point:
        return round(node.x - left, 3), float(node.layer)

    return Placing(
        round(width, 3),
        float(len(layers) - 1),
        {vertex: point(node_of[vertex]) for vertex in nodes},
        {number: tuple(map(point, chain)) for number, chain in chains.items()},
        frozenset(fed),
    )


class _Node:
    """A vertex, or the bend of an edge in a layer."""

    def __init__(self, layer: int) -> None:
        self.layer = layer
        self.x = 0.0
        self.above: list[_Node] = []
        self.below: list[_Node] = []


def _is_input(graph: ConstraintGraph, number: int, vertex: int) -> bool:
    edge = graph.edges[number]
    return edge.one == vertex and edge.other < vertex


def _find_feeders(graph: ConstraintGraph) -> tuple[set[int], set[int]]:
    """Return the vertices that only feed others, and those they feed: two opposite edges are a permanent source."""
    hidden, fed = set(), set()
    for vertex in range(graph.vertices):
        edges = [graph.edges[number] for number in graph.at[vertex]]
        if len(edges) == 2 and (edges[0].one, edges[0].other) == (edges[1].other, edges[1].one):
            feeder = edges[0].one + edges[0].other - vertex
            hidden.add(vertex)
            for number in graph.at[feeder]:
                if graph.edges[number].weight == RED:
                    hidden.add(feeder)
                    fed.add(graph.edges[number].one + graph.edges[number].other - feeder)
    return hidden, fed


def _order_layers(layers: list[list[_Node]]) -> None:
    for layer in layers:
        _space_evenly(layer)
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            middles = {node: _barycentre(node, node.above if sweep % 2 == 0 else node.below) for node in layer}
            layer.sort(key=middles.__getitem__)
            _space_evenly(layer)
    for _settling in range(_SETTLINGS):
        for layer in layers:
            _align(layer)


def _space_evenly(layer: list[_Node]) -> None:
    for at, node in enumerate(layer):
        node.x = at - (len(layer) - 1) / 2


def _barycentre(node: _Node, neighbours: list[_Node]) -> float:
    return sum(neighbour.x for neighbour in neighbours) / len(neighbours) if neighbours else node.x


def _align(layer: list[_Node]) -> None:
    """Move the nodes towards the middle of their neighbours as far as their order and distance allow."""
    wanted = [_barycentre(node, node.above + node.below) for node in layer]
    rightward, leftward = wanted.copy(), wanted.copy()
    for at in range(1, len(layer)):
        rightward[at] = max(rightward[at], rightward[at - 1] + 1)
    for at in range(len(layer) - 2, -1, -1):
        leftward[at] = min(leftward[at], leftward[at + 1] - 1)
    for node, right, left in zip(layer, rightward, leftward, strict=True):
        node.x = (right + left) / 2
