"""Compute every layout's distance to its mirror images and to the farthest layout, searching from hundreds at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.klotski.searching import cover_kernels
from solvers.klotski.searching.graph import Graph
from solvers.klotski.searching.kernels import kernel

WORDS = 16  # of 32 searches each


def answers(
    class_graph: Graph, leads: NDArray[Any], progress: Callable[[int], object] = lambda _: None
) -> NDArray[np.int16]:
    """Return the moves from *leads* to each mirror image (-1: none) and to the farthest layout, shape (4, leads).

    Uses no bounds and omits nothing: the reference for `maxima`. Time O(layouts * leads / 512 *
    levels).
    """
    found = np.full((4, len(leads)), -1, np.int16)
    for first in range(0, len(leads), 32 * WORDS):
        _search_together(class_graph, leads[first : first + 32 * WORDS], found[:, first : first + 32 * WORDS])
        progress(min(len(leads), first + 32 * WORDS))
    return found


def _search_together(class_graph: Graph, leads: NDArray[Any], found: NDArray[np.int16]) -> None:
    shape = class_graph.size, WORDS
    seen, front, next_front = (np.zeros(shape, np.uint32) for _ in range(3))
    active, next_active = np.empty(class_graph.size, np.int32), np.empty(class_graph.size, np.int32)
    is_next = np.zeros(class_graph.size, np.bool_)
    at = np.arange(len(leads))
    seen[leads, at // 32] = front[leads, at // 32] = np.uint32(1) << (at % 32).astype(np.uint32)
    active[: len(leads)] = leads
    images = np.ascontiguousarray(class_graph.images[:, leads])
    # Names do not matter: moves leave all words unchanged.
    moves = class_graph.starts, class_graph.targets, np.zeros_like(class_graph.shifts)
    tables = np.zeros(1, np.int16), np.zeros((1, 1), np.int16), np.zeros((1, 3, 256), np.uint32)
    count, distance = len(leads), 0
    while count:
        _record_distances(front, active, count, images, distance, found)
        count = cover_kernels.advance(moves, tables, seen, front, next_front, active[:count], is_next, next_active)
        front, next_front, active, next_active = next_front, front, next_active, active
        distance += 1


@kernel
def _record_distances(front: Any, active: Any, count: int, images: Any, distance: int, found: Any) -> None:
    """Write *distance* for the searches that reach an image now, and as the farthest for all active searches."""
    alive = np.zeros(front.shape[1], np.uint32)
    for at in range(count):
        for word in range(front.shape[1]):
            alive[word] |= front[active[at], word]
    for search in range(found.shape[1]):
        word, bit = search // 32, np.uint32(1) << np.uint32(search % 32)
        if alive[word] & bit:
            found[3, search] = distance
        for mirror in range(3):
            if front[images[mirror, search], word] & bit:
                found[mirror, search] = distance
