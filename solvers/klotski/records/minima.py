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
        return _own_images()
    least = _NO_LIMIT
    nearest: list[tuple[Cover, int]] = []
    for horizontals in _NEAREST_FIRST:
        progress(f"{mirror.value}, {horizontals} horizontals")
        whole = graph(horizontals)
        cover = Cover(whole, is_named=is_named)
        for place in map(int, crossings(whole, mirror)):
            value = displacement(cover, place, mirror, least)
            if value is not None:
                nearest = [*(nearest if value == least else []), (cover, place)]
                least = value
    found = (layout for cover, place in nearest for layout in ring(cover, place, mirror, least))
    return Record(least, list({layout.cells: layout for layout in found}.values()))


def _own_images() -> Record:
    """Return the layouts that are their own left-right images."""
    own = [(whole, whole.leads & (whole.images[0] == np.arange(whole.size))) for whole in map(graph, CLASSES)]
    return Record(0, [whole.layout(int(place)) for whole, is_own in own for place in np.flatnonzero(is_own)])


def crossings(whole: Graph, mirror: Mirror | str) -> NDArray[np.int64]:
    """Return places of layouts, one of every four images, of which every named path to an image visits at least one."""
    sources = np.repeat(np.arange(whole.size), np.diff(whole.starts))
    if Mirror(mirror) == Mirror.LEFT_RIGHT:
        left = whole.left(LETTERS.index("V" if whole.horizontals < CLASSES[-1] else "o"))
        crosses = left[sources] > left[whole.targets]
    else:
        rows = whole.caos // COLUMNS
        crosses = (rows[sources] == 1) & (rows[whole.targets] == 2)
    found = np.unique(sources[crosses])
    return np.unique(np.minimum(found, whole.images[:, found].min(axis=0)))


def displacement(cover: Cover, place: int, mirror: Mirror | str, limit: int = _NO_LIMIT) -> int | None:
    """Return the distance of a layout to its image, or None if it is unreachable or farther than *limit*."""
    at = list(Mirror).index(Mirror(mirror))
    if not cover.is_named:
        return _value_without_name(cover, place, at, limit)
    seen = np.zeros((cover.size, cover.words), np.uint32)
    turns = cover.turns[0][at], cover.turns[1][at]
    for level in cover.levels(place, seen):
        met = cover_kernels.meets(
            level.words, seen, level.layouts, len(level.layouts), cover.images[at], turns, cover.byte_tables
        )
        value = 2 * level.distance - (met == 2)
        if met:
            return value if value <= limit else None
        if value >= limit:
            return None
    return None


def _value_without_name(cover: Cover, place: int, mirror: int, limit: int) -> int | None:
    image = cover.image(mirror, State(place))
    value = int(cover.distances(place, limit)[image]) if image else -1
    return value if value >= 0 else None


def ring(cover: Cover, place: int, mirror: Mirror | str, value: int) -> list[Layout]:
    """Return layouts on all shortest paths, *value* moves long, from a layout to its image, one of every four."""
    at = list(Mirror).index(Mirror(mirror))
    distances = cover.distances(place, (value + 1) // 2)
    middles = _middles(cover, distances, at, value)
    found = set(middles)
    for state in (queue := list(middles)):
        for before in cover.neighbours(state):
            if 0 <= distances[before] == distances[state] - 1 and before not in found:
                found.add(before)
                queue.append(before)
    places = {int(min(state.layout, cover.images[:, state.layout].min())) for state in found}
    return [cover.graph.layout(one + cover.first) for one in sorted(places)]


def _middles(cover: Cover, distances: Any, mirror: int, value: int) -> list[State]:
    """Return the states in the middle of a path, about half of *value* from the start, and their images."""
    halves = value // 2, value - value // 2
    found = []
    for layout, arrangement in zip(*np.nonzero(distances == halves[1]), strict=True):
        state = State(int(layout), int(arrangement))
        image = cover.image(mirror, state)
        if image and distances[image] == halves[0]:
            found += [state, image]
    return found
