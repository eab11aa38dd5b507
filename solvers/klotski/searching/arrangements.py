"""Arrangements of names among pieces of a kind, and how moves and mirrors permute them.

The pieces of a kind have places in the order of their first cells. An arrangement assigns a name to each place:
one order of the four soldiers and one each of the horizontal and vertical dominoes. In memory the 24 orders of the
soldiers are the bits of a word, and the orders of the dominoes number the words: `orders of the horizontals * orders of
the verticals` words.
"""

from functools import cache
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

SOLDIERS = 24  # permutations of four


@cache
def orders(count: int) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of *count* names in alphabetical order.

    >>> orders(2)
    ((0, 1), (1, 0))
    """
    return tuple(permutations(range(count)))


@cache
def products_of(count: int) -> NDArray[np.int16]:
    """Return the table [p, g] of the order that *g* becomes if the piece at place s moves to p[s], all by number."""
    numbers = {order: number for number, order in enumerate(orders(count))}
    products = np.empty((len(numbers), len(numbers)), np.int16)
    for row, order_turned in enumerate(orders(count)):
        inverse = sorted(range(count), key=order_turned.__getitem__)
        for column, order in enumerate(orders(count)):
            products[row, column] = numbers[tuple(order[inverse[place]] for place in range(count))]
    return products


def shift(count: int, start: int, stop: int) -> int:
    """Return the number of the turn that moves the piece at place *start* to *stop* and no others' order."""
    places = list(range(count))
    places.insert(stop, places.pop(start))  # indexed by the new place: the old one
    return orders(count).index(tuple(sorted(range(count), key=places.__getitem__)))


class Arrangements:
    """Permutation tables of a class with *words* words of 24 bits per layout.

    `by_word[turn]` maps words and `by_bits[turn]`, shape (3, 256), maps the bits of a word byte by byte. Turns of
    dominoes are numbered like words, those of soldiers like bits; `shift_turns` gives the turn of a shift
    (`kernels.moves_of_all`).
    """

    def __init__(self, horizontals: int) -> None:
        counts = horizontals, 5 - horizontals
        self.verticals = factorial(counts[1])
        self.words = factorial(counts[0]) * self.verticals
        lying, standing = products_of(counts[0]), products_of(counts[1])
        # Both at once: turns and words use the same numbers.
        both = lying[:, None, :, None].astype(np.int32) * self.verticals + standing[None, :, None, :]
        self.by_word = np.ascontiguousarray(both.reshape(self.words, self.words).astype(np.int16))
        self.by_soldier = products_of(4)
        self.by_bits = _by_bits(self.by_soldier)
        self.shift_turns = np.zeros(76, np.int16)
        for letter, (count, factor) in enumerate([(4, 1), (counts[0], self.verticals), (counts[1], 1)]):
            for start in range(count):
                for stop in range(count):
                    self.shift_turns[1 + 25 * letter + 5 * start + stop] = factor * shift(count, start, stop)

    @property
    def size(self) -> int:
        """Number of arrangements of a layout."""
        return SOLDIERS * self.words


@cache
def arrangements(horizontals: int) -> Arrangements:
    return Arrangements(horizontals)


def _by_bits(turns: Any) -> NDArray[np.uint32]:
    """Return, for each turn, byte of a word and value of that byte, the permuted bits."""
    table = np.zeros((SOLDIERS, 3, 256), np.uint32)
    for bit in range(SOLDIERS):
        is_set = (np.arange(256) >> bit % 8 & 1).astype(bool)
        table[:, bit // 8, is_set] |= (np.uint32(1) << turns[:, bit].astype(np.uint32))[:, None]
    return table
