"""Layouts farthest from their mirror images, and farthest from any layout: exact, with few searches.

The published study searched from every layout. But one search from a pivot x bounds the answers of all layouts y at
once, because names can be permuted: with D[y, g] the distance from x to y under arrangement g, M a mirror and f(y) =
d(y, My)::

    min over g of D[y, g] + D[M(y, g)]  >=  f(y)  >=  max over g of |D[y, g] - D[M(y, g)]|
    ecc(x) + min D[y, g]  >=  ecc(y)  >=  max(max D[y, g], ecc(x) - min D[y, g])

(the second line after Takes and Kosters, "Determining the diameter of small world networks", 2011). Pivots alternate
between the open layout with the largest upper bound and the middle of its longest path: distant layouts share narrow
passages, and from inside one of these the bounds become exact for thousands of layouts. The search ends when no upper
bound reaches the best value.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.klotski.layout import Layout
from solvers.klotski.searching import cover_kernels
from solvers.klotski.searching.cover import Cover, Distances, State
from solvers.klotski.searching.graph import Graph, graph

QUESTIONS = 4  # the three mirrors in their order, and the farthest layout
FARTHEST = 3
SMALL = 1_000  # layouts; components up to this size are searched from every layout: all but the largest of a class are
_UNKNOWN = 1 << 14
HARDEST_FIRST = (3, 2, 5, 4, 1, 0)  # classes: a high record found early saves searches later

Progress = Callable[[str], object]


@dataclass
class Record:
    """A *value* and the *layouts* that have it, one of every four mirror images."""

    value: int = -1
    layouts: list[Layout] = field(default_factory=list)

    def add(self, values: NDArray[Any], layout_at: Callable[[int], Layout]) -> None:
        """Add the largest of *values* if it beats or equals the record."""
        most = int(values.max(initial=-1))
        if most < 0 or most < self.value:
            return
        if most > self.value:
            self.value, self.layouts = most, []
        self.layouts += [layout_at(int(at)) for at in np.flatnonzero(values == most)]


@dataclass
class Maxima:
    """Records of the four questions, and the nodes that searches from one of every four mirror images visit."""

    records: tuple[Record, ...] = field(default_factory=lambda: tuple(Record() for _ in range(QUESTIONS)))
    nodes: int = 0


def maxima_of(horizontals: int, maxima: Maxima, *, is_named: bool, progress: Progress = lambda _: None) -> None:
    """Update *maxima* with the longest shortest paths of a class: to the three mirror images, and to any layout.

    Layouts with an unreachable image are omitted. Only layouts that can equal a record are settled, so process the
    classes in the order HARDEST_FIRST: with names about 20 CPU seconds and 350 MB for all, without less than a second.
    """
    class_graph = graph(horizontals)
    bounds = class_graph.part_bounds
    for first, last in pairwise(bounds):
        if last - first > SMALL and class_graph.leads[first:last].any():
            _search_large(Cover(class_graph, int(first), int(last), is_named=is_named), maxima, progress)
    progress(f"{horizontals} horizontals, the small parts")
    _search_small(class_graph, maxima, is_named=is_named)


def _search_large(cover: Cover, maxima: Maxima, progress: Progress) -> None:
    class_graph, first = cover.graph, cover.first
    leads = np.flatnonzero(class_graph.leads[first : first + cover.size])
    lower = np.full((QUESTIONS, cover.size), -1, np.int16)
    upper = np.full((QUESTIONS, cover.size), -1, np.int16)
    upper[FARTHEST, leads] = _UNKNOWN
    upper[:FARTHEST, leads] = np.where(cover.images[:, leads] >= 0, _UNKNOWN, -1)
    is_counted = False
    while True:
        bests = np.maximum(lower.max(axis=1), [record.value for record in maxima.records])
        is_open = (upper > lower) & (upper >= bests[:, None])
        if not is_open.any():
            break
        question, pivot = np.unravel_index(np.where(is_open, upper, -1).argmax(), upper.shape)
        open_layouts = np.flatnonzero(is_open.any(axis=0))
        progress(f"{class_graph.horizontals} horizontals, {len(open_layouts):,} layouts open")
        distances = cover.distances(int(pivot))
        if not is_counted:
            maxima.nodes += len(leads) * int(np.count_nonzero(distances >= 0))
            is_counted = True
        tighten(cover, distances, open_layouts, lower, upper)
        _set_exact(cover, int(pivot), distances, lower, upper)
        middle = _middle_of_path(cover, int(pivot), int(question), distances)
        tighten(cover, cover.distances(middle), open_layouts, lower, upper)
    for record, exact in zip(maxima.records, np.where(lower == upper, upper, -1), strict=True):
        record.add(exact, lambda at: class_graph.layout(at + first))


def tighten(cover: Cover, distances: Distances, open_layouts: NDArray[Any], lower: Any, upper: Any) -> None:
    """Tighten the bounds of *open_layouts* with the distances from one layout; see the module docstring."""
    farthest = int(distances.max())
    cover_kernels.tighten(distances, open_layouts, farthest, cover.images, cover.turns, cover.turn_tables, lower, upper)


def _set_exact(cover: Cover, pivot: int, distances: Distances, lower: Any, upper: Any) -> None:
    """Write the exact answers of a layout that was a search's start."""
    lower[FARTHEST, pivot] = upper[FARTHEST, pivot] = distances.max()
    for mirror in range(FARTHEST):
        image = cover.image(mirror, State(pivot))
        lower[mirror, pivot] = upper[mirror, pivot] = distances[image] if image else -1


def _middle_of_path(cover: Cover, pivot: int, question: int, distances: Distances) -> int:
    """Return the layout in the middle of a shortest path from the pivot to its image, or to a farthest state."""
    state = None if question == FARTHEST else cover.image(question, State(pivot))
    if state is None or distances[state] < 0:
        state = State(*map(int, np.unravel_index(distances.argmax(), distances.shape)))
    for distance in range(int(distances[state]) - 1, int(distances[state]) // 2 - 1, -1):
        state = next(neighbour for neighbour in cover.neighbours(state) if distances[neighbour] == distance)
    return state.layout


def _search_small(class_graph: Graph, maxima: Maxima, *, is_named: bool) -> None:
    bounds = class_graph.part_bounds
    sizes = np.diff(bounds)
    leads = np.flatnonzero(class_graph.leads & (sizes[class_graph.parts] <= SMALL)).astype(np.int32)
    if not len(leads):
        return
    cover = Cover(class_graph, is_named=is_named)
    capacity = int(sizes[sizes <= SMALL].max()) * cover.arrangements
    answers = np.empty((QUESTIONS + 1, len(leads)), np.int32)
    cover_kernels.search_small(
        leads, bounds[class_graph.parts[leads]], cover.moves,
        np.where(_same_part(class_graph), cover.images, -1), cover.turns, (cover.shift_turns, *cover.turn_tables),
        (np.full(capacity, -1, np.int16), np.empty(capacity, np.int32)), answers,
    )  # fmt: skip
    for record, exact in zip(maxima.records, answers[:QUESTIONS], strict=True):
        record.add(exact, lambda at: class_graph.layout(int(leads[at])))
    maxima.nodes += int(answers[QUESTIONS].sum(dtype=np.int64))


def _same_part(class_graph: Graph) -> Any:
    return class_graph.parts[class_graph.images] == class_graph.parts
