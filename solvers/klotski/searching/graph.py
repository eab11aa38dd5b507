"""Graph of a class: its layouts and moves in memory, built once per process in less than a tenth of a second.

Layouts have three numbers: the global one (`numbering`), the one in the class, and their *place* in the graph.
Places list the connected components one after another, each breadth-first, so neighbours are close in memory.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.klotski.layout import EXIT, Layout, Mirror
from solvers.klotski.numbering import CLASSES, automaton, firsts, layout_of, number
from solvers.klotski.searching import kernels

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Graph:
    """All layouts with *horizontals* horizontal dominoes.

    The moves of the layout at place x lead to `targets[starts[x]:starts[x + 1]]`; *shifts* gives the change in the
    order of the pieces (`kernels.moves_of_all`). *members* maps places to numbers in the class, *places* is its
    inverse, *parts* is the component of each place.
    """

    horizontals: int
    starts: Numbers
    targets: Numbers
    shifts: NDArray[np.uint8]
    members: Numbers
    places: Numbers
    parts: Numbers

    @property
    def size(self) -> int:
        return len(self.members)

    @cached_property
    def images(self) -> Numbers:
        """Place of each mirror image, shape (3, size), mirrors in their order."""
        numbers = np.empty((3, self.size), np.int32)
        kernels.images_of_all(self.size, *_tables(self.horizontals), numbers)
        return self.places[numbers[:, self.members]]

    @cached_property
    def caos(self) -> NDArray[np.int8]:
        """The cell of the 2x2 block of each layout, shape (size,)."""
        found = np.empty(self.size, np.int8)
        kernels.caos_of_all(self.size, *_tables(self.horizontals), found)
        return found[self.members]

    @cached_property
    def image_turns(self) -> NDArray[np.int16]:
        """Turns of the pieces' order by each mirror (`kernels.turns_of_images`), shape (3, size, 4)."""
        found = np.empty((3, self.size, 4), np.int16)
        kernels.turns_of_images(self.size, *_tables(self.horizontals), found)
        return found[:, self.members]

    def left(self, letter: int) -> NDArray[np.int8]:
        """Return the number of pieces with a letter that begin in the left half of each layout, shape (size,)."""
        found = np.zeros(self.size, np.int8)
        kernels.count_left(self.size, *_tables(self.horizontals), letter, found)
        return found[self.members]

    @cached_property
    def part_bounds(self) -> Numbers:
        """The first place of each connected component, and the number of layouts."""
        return np.flatnonzero(np.diff(self.parts, prepend=-1, append=-1)).astype(np.int32)

    @cached_property
    def leads(self) -> NDArray[np.bool_]:
        """True for the layout with the smallest place of up to four images, which represents them; shape (size,)."""
        return np.asarray(np.arange(self.size) <= self.images.min(axis=0))

    def place(self, layout: Layout) -> int:
        return int(self.places[number(layout) - firsts()[self.horizontals]])

    def layout(self, place: int) -> Layout:
        return layout_of(int(self.members[place]) + firsts()[self.horizontals])

    def image(self, mirror: Mirror | str, place: int) -> int:
        return int(self.images[list(Mirror).index(Mirror(mirror)), place])

    def distances(self, sources: Any) -> NDArray[np.int16]:
        """Return the moves from each layout to the nearest source, -1 if unreachable; by place, shape (size,).

        *sources* are places. Time O(layouts), some milliseconds.
        """
        found = np.full(self.size, -1, np.int16)
        queue = np.empty(self.size, np.int32)
        sources = np.atleast_1d(sources)
        found[sources] = 0
        queue[: len(sources)] = sources
        kernels.spread(self.starts, self.targets, found, queue, len(sources), -1)
        return found


@cache
def graph(horizontals: int) -> Graph:
    """Return the graph of a class. Time 0.02 to 0.12 s, memory 1 to 6 MB, cached for the life of the process."""
    tables = _tables(horizontals)
    size = automaton(horizontals).size
    starts = np.empty(size + 1, np.int32)
    targets = np.empty(size * kernels.MOST_MOVES, np.int32)
    shifts = np.empty(size * kernels.MOST_MOVES, np.uint8)
    count = kernels.moves_of_all(size, *tables, starts, targets, shifts)
    parts, order = np.full(size, -1, np.int32), np.empty(size, np.int32)
    kernels.label_parts(starts, targets, parts, order)
    places = np.empty(size, np.int32)
    places[order] = np.arange(size, dtype=np.int32)
    arrays = np.empty(size + 1, np.int32), np.empty(count, np.int32), np.empty(count, np.uint8)
    kernels.renumber(order, places, starts, targets, shifts, arrays)
    return Graph(horizontals, *arrays, order, places, parts[order])


@cache
def _tables(horizontals: int) -> tuple[Any, Any, Any]:
    machine = automaton(horizontals)
    return tuple(np.array(table, np.int32) for table in (machine.cell, machine.step, machine.before))  # type: ignore[return-value]


def exit_distances() -> NDArray[np.int16]:
    """Return the moves from every layout to the exit, by its global number, -1 if it cannot get there."""
    result = np.empty(firsts()[-1], np.int16)
    for horizontals in CLASSES:
        class_graph = graph(horizontals)
        distances = class_graph.distances(np.flatnonzero(class_graph.caos == EXIT))
        result[firsts()[horizontals] + class_graph.members] = distances
    return result
