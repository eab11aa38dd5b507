"""Layouts nearest to their mirror images, using two observations that leave little to search.

A mirror M maps named boards so that distances are preserved, and M twice is the identity. So if x = z0, z1, ..., zn =
Mx is a shortest path, then zi, ..., zn, Mz1, ..., Mzi is an equally long path from zi to its image: **no layout on the
path is farther from its image than x.** The nearest layouts therefore lie in rings, and every ring has certain moves:

- from the upper half to the lower one the 2x2 block once moves down from the second row with both cells below it free;
- from left to right every vertical domino once crosses the middle or, if there is none, every soldier does.

Only layouts with such a move need to be searched: 32 instead of 3,564 for five horizontals upside down. The second
observation halves each search: a state z and its image are as far from x as from Mx, so if the states within n moves
of x contain a state and its image, they join to a path; the first such n gives the distance (2n, or 2n - 1).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.klotski.layout import COLUMNS, Layout, Mirror
from solvers.klotski.numbering import CLASSES, LETTERS
from solvers.klotski.records.maxima import Progress, Record
from solvers.klotski.searching import cover_kernels
from solvers.klotski.searching.cover import Cover, State
from solvers.klotski.searching.graph import Graph, graph

_NO_LIMIT = 1 << 14
_NEAREST_FIRST = (5, 4, 3, 2, 1, 0)  # a low value found early cuts searches short later


def minimum(mirror: Mirror | str, *, is_named: bool, progress: Progress = lambda _: None) -> Record:
    """Return the layouts nearest to their *mirror* image, one of every four images; with names in 1 to 4 CPU s.

    Without names a layout can be its own left-right image; then all such layouts are the answer.
    """
    mirror = Mirror(mirror)
    if mirror == Mirror.LEFT_RIGHT and not is_named:
        return _self_mirrored()
    least = _NO_LIMIT
    nearest: list[tuple[Cover, int]] = []
    for horizontals in _NEAREST_FIRST:
        progress(f"{mirror.value}, {horizontals} horizontals")
        class_graph = graph(horizontals)
        cover = Cover(class_graph, is_named=is_named)
        for place in map(int, crossings(class_graph, mirror)):
            value = displacement(cover, place, mirror, least)
            if value is not None:
                nearest = [*(nearest if value == least else []), (cover, place)]
                least = value
    layouts = (layout for cover, place in nearest for layout in ring(cover, place, mirror, least))
    return Record(least, list({layout.cells: layout for layout in layouts}.values()))


def _self_mirrored() -> Record:
    """Return the layouts that are their own left-right images."""
    by_class = [
        (class_graph, class_graph.leads & (class_graph.images[0] == np.arange(class_graph.size)))
        for class_graph in map(graph, CLASSES)
    ]
    return Record(
        0, [class_graph.layout(int(place)) for class_graph, is_own in by_class for place in np.flatnonzero(is_own)]
    )


def crossings(class_graph: Graph, mirror: Mirror | str) -> NDArray[np.int64]:
    """Return places of layouts, one of every four images; every named path to an image visits at least one."""
    sources = np.repeat(np.arange(class_graph.size), np.diff(class_graph.starts))
    if Mirror(mirror) == Mirror.LEFT_RIGHT:
        left = class_graph.left(LETTERS.index("V" if class_graph.horizontals < CLASSES[-1] else "o"))
        crosses = left[sources] > left[class_graph.targets]
    else:
        rows = class_graph.caos // COLUMNS
        crosses = (rows[sources] == 1) & (rows[class_graph.targets] == 2)
    places = np.unique(sources[crosses])
    return np.unique(np.minimum(places, class_graph.images[:, places].min(axis=0)))


def displacement(cover: Cover, place: int, mirror: Mirror | str, limit: int = _NO_LIMIT) -> int | None:
    """Return the distance of a layout to its image, or None if it is unreachable or farther than *limit*."""
    mirror_index = list(Mirror).index(Mirror(mirror))
    if not cover.is_named:
        return _unnamed_distance(cover, place, mirror_index, limit)
    seen = np.zeros((cover.size, cover.words), np.uint32)
    turns = cover.turns[0][mirror_index], cover.turns[1][mirror_index]
    for level in cover.levels(place, seen):
        meeting = cover_kernels.meets(
            level.words, seen, level.layouts, len(level.layouts), cover.images[mirror_index], turns, cover.byte_tables
        )
        value = 2 * level.distance - (meeting == 2)
        if meeting:
            return value if value <= limit else None
        if value >= limit:
            return None
    return None


def _unnamed_distance(cover: Cover, place: int, mirror: int, limit: int) -> int | None:
    image = cover.image(mirror, State(place))
    value = int(cover.distances(place, limit)[image]) if image else -1
    return value if value >= 0 else None


def ring(cover: Cover, place: int, mirror: Mirror | str, value: int) -> list[Layout]:
    """Return layouts on all shortest paths, *value* moves long, from a layout to its image, one of every four."""
    mirror_index = list(Mirror).index(Mirror(mirror))
    distances = cover.distances(place, (value + 1) // 2)
    middles = _middles(cover, distances, mirror_index, value)
    states = set(middles)
    for state in (queue := list(middles)):
        for neighbour in cover.neighbours(state):
            if 0 <= distances[neighbour] == distances[state] - 1 and neighbour not in states:
                states.add(neighbour)
                queue.append(neighbour)
    places = {int(min(state.layout, cover.images[:, state.layout].min())) for state in states}
    return [cover.graph.layout(place + cover.first) for place in sorted(places)]


def _middles(cover: Cover, distances: Any, mirror: int, value: int) -> list[State]:
    """Return the states in the middle of a path, about half of *value* from the start, and their images."""
    half_lengths = value // 2, value - value // 2
    states = []
    for layout, arrangement in zip(*np.nonzero(distances == half_lengths[1]), strict=True):
        state = State(int(layout), int(arrangement))
        image = cover.image(mirror, state)
        if image and distances[image] == half_lengths[0]:
            states += [state, image]
    return states
