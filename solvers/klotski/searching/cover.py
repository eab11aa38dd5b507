"""Layouts with named pieces: the graph of a class, repeated for each arrangement of names, searched breadth-first.

Moves and mirrors treat all names alike, so renaming pieces changes no distance: a search from one arrangement of a
layout answers for all of them. Without names there is one arrangement, and the same data structures are used.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.klotski.searching import cover_kernels, kernels
from solvers.klotski.searching.arrangements import arrangements
from solvers.klotski.searching.graph import Graph

Distances = NDArray[np.int16]  # shape (layouts, arrangements), -1 if unreachable


class State(NamedTuple):
    """A layout, by its place in the cover, and an arrangement of its names."""

    layout: int
    arrangement: int = 0


class Level(NamedTuple):
    """The states at one distance: words by layout, and the layouts with any bit set."""

    distance: int
    words: NDArray[np.uint32]
    layouts: NDArray[np.int32]


class Cover:
    """The layouts at places *first* to *last* - 1 of a graph, which no move leaves, with names or without.

    *size* layouts, each with *arrangements*. *images* and the two rows of *turns*, all of shape (3, size), are the
    mirror images of a layout (-1: outside) and the turns of its domino words and its soldiers.
    """

    def __init__(self, graph: Graph, first: int = 0, last: int | None = None, *, is_named: bool = True) -> None:
        last = graph.size if last is None else last
        self.graph, self.first, self.is_named = graph, first, is_named
        self.size = last - first
        edges = slice(graph.starts[first], graph.starts[last])
        self.moves = (
            graph.starts[first : last + 1] - graph.starts[first],
            graph.targets[edges] - np.int32(first),
            graph.shifts[edges],
        )
        images = graph.images[:, first:last]
        self.images = np.where((images >= first) & (images < last), images - np.int32(first), np.int32(-1))
        tables = arrangements(graph.horizontals)
        self.turn_tables: tuple[Any, Any] = tables.by_word, tables.by_soldier
        self.shift_turns, self._by_bits = tables.shift_turns, tables.by_bits
        soldiers, lying, standing, _ = np.moveaxis(graph.image_turns[:, first:last], 2, 0)
        self.turns: tuple[Any, Any] = lying * np.int16(tables.verticals) + standing, np.ascontiguousarray(soldiers)
        self.words, self.arrangements = tables.words, tables.size
        if not is_named:
            self.turn_tables = np.zeros((1, 1), np.int16), np.zeros((1, 1), np.int16)
            self.turns = np.zeros_like(self.turns[0]), np.zeros_like(self.turns[1])
            self.words = self.arrangements = 1

    @property
    def byte_tables(self) -> tuple[Any, Any]:
        """Tables by which turns of dominoes map words, and turns of soldiers the bits of a word."""
        return self.turn_tables[0], self._by_bits

    def distances(self, start: int, limit: int | None = None) -> Distances:
        """Return the moves from one arrangement of a layout to every state, or to those within *limit* moves.

        Time O(states): 0.2 to 0.7 s for 10 to 23 million.
        """
        if not self.is_named:
            distances = np.full(self.size, -1, np.int16)
            queue = np.empty(self.size, np.int32)
            distances[start], queue[0] = 0, start
            kernels.spread(*self.moves[:2], distances, queue, 1, -1 if limit is None else limit)
            return distances[:, None]
        distances = np.full((self.size, self.arrangements), -1, np.int16)
        for level in self.levels(start):
            cover_kernels.record(level.words, level.layouts, len(level.layouts), distances, level.distance)
            if level.distance == limit:
                break
        return distances

    def levels(self, start: int, seen: NDArray[np.uint32] | None = None) -> Iterator[Level]:
        """Yield all states by their distance from one arrangement of a layout, nearest first, as words of 24 bits.

        A level is valid until the next is requested. *seen*, initially all 0, collects the states yielded.
        """
        shape = self.size, self.words
        seen = np.zeros(shape, np.uint32) if seen is None else seen
        front, next_front = np.zeros(shape, np.uint32), np.zeros(shape, np.uint32)
        active, next_active = np.empty(self.size, np.int32), np.empty(self.size, np.int32)
        is_next = np.zeros(self.size, np.bool_)
        tables = self.shift_turns, self.turn_tables[0], self._by_bits
        front[start, 0] = seen[start, 0] = 1
        active[0] = start
        count, distance = 1, 0
        while count:
            yield Level(distance, front, active[:count])
            count = cover_kernels.advance(
                self.moves, tables, seen, front, next_front, active[:count], is_next, next_active
            )
            front, next_front, active, next_active = next_front, front, next_active, active
            distance += 1

    def image(self, mirror: int, state: State) -> State | None:
        """Return the mirror image of a state, or None if it is outside the cover."""
        image = int(self.images[mirror, state.layout])
        by_word, by_soldier = self.turn_tables
        word, soldier = divmod(state.arrangement, len(by_soldier))
        word = by_word[self.turns[0][mirror, state.layout], word]
        soldier = by_soldier[self.turns[1][mirror, state.layout], soldier]
        return State(image, int(word) * len(by_soldier) + int(soldier)) if image >= 0 else None

    def neighbours(self, state: State) -> Iterator[State]:
        """Yield the states one move away."""
        starts, targets, shifts = self.moves
        by_word, by_soldier = self.turn_tables
        for edge in range(starts[state.layout], starts[state.layout + 1]):
            shift = int(shifts[edge]) if self.is_named else 0
            word, soldier = divmod(state.arrangement, len(by_soldier))
            if shift > cover_kernels.SOLDIER_SHIFTS:
                word = int(by_word[self.shift_turns[shift], word])
            elif shift:
                soldier = int(by_soldier[self.shift_turns[shift], soldier])
            yield State(int(targets[edge]), word * len(by_soldier) + soldier)
