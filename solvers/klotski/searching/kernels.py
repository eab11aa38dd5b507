"""Compiled loops over all layouts of a class: moves, mirror images, and searches without names.

Importing this module loads numba, which takes most of a second, so only searching modules import it, and their callers
import them inside functions. Nothing here is recursive: numba's cache breaks recursive functions.

A layout is an array of twenty letters (see `numbering`): the kind at the first cell of each piece, 0 elsewhere.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from solvers.klotski.layout import CELLS, COLUMNS, COVER, Kind, Mirror, Piece
from solvers.klotski.numbering import LETTERS

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function at its first call, or load it from numba's cache."""
    return cast(Function, njit(cache=True)(function))


def _image(mirror: Mirror, letter: int, cell: int) -> int:
    kind = Kind(LETTERS[letter])
    return min(map(mirror.cell, Piece(kind, cell).cells)) if kind.fits(cell) else 0


def _neighbour(cell: int, rows: int, columns: int) -> int:
    row, column = cell // COLUMNS + rows, cell % COLUMNS + columns
    return row * COLUMNS + column if 0 <= row < CELLS // COLUMNS and 0 <= column < COLUMNS else -1


COVERS = np.array([[0] * CELLS, *(COVER[Kind(letter)] for letter in LETTERS[1:])])
NEIGHBOURS = np.array(
    [[_neighbour(cell, *step) for step in ((0, -1), (-1, 0), (0, 1), (1, 0))] for cell in range(CELLS)]
)
IMAGES = np.array([
    [[0] * CELLS] + [[_image(mirror, letter, cell) for cell in range(CELLS)] for letter in range(1, 5)]
    for mirror in Mirror
])  # fmt: skip
ALL_CELLS = (1 << CELLS) - 1
MOST_MOVES = 24  # capacity for the moves of one layout: more than any has


@kernel
def read(number: int, cell: Any, step: Any, before: Any, letters: Any) -> None:
    """Write the letters of layout *number* of a class to *letters*."""
    letters[:] = 0
    state = 0
    while cell[state] < CELLS:
        letter = 4
        while before[5 * state + letter] > number:
            letter -= 1
        number -= before[5 * state + letter]
        letters[cell[state]] = letter
        state = step[5 * state + letter]


@kernel
def number_of(letters: Any, cell: Any, step: Any, before: Any) -> int:
    """Return the number of a layout in its class."""
    number = state = 0
    while cell[state] < CELLS:
        at = 5 * state + letters[cell[state]]
        number += before[at]
        state = step[at]
    return number


@kernel
def moves_of_all(size: int, cell: Any, step: Any, before: Any, starts: Any, targets: Any, shifts: Any) -> int:
    """Find all moves of all layouts of a class; return their number.

    The moves of layout x are `targets[starts[x]:starts[x + 1]]`. The pieces of a kind are counted along the board; a
    shift of 0 keeps their order, `1 + 25 * (letter - 1) + 5 * i + j` makes the i-th piece the j-th.
    """
    letters = np.zeros(CELLS, np.int8)
    queue = np.zeros(CELLS, np.int64)
    count = 0
    for number in range(size):
        starts[number] = count
        read(number, cell, step, before, letters)
        free, passed = ALL_CELLS, np.zeros(5, np.int64)
        for at in range(CELLS):
            free &= ~COVERS[letters[at], at]
        for start in range(CELLS):
            letter = letters[start]
            if letter == 0:
                continue
            room = free | COVERS[letter, start]
            letters[start] = 0
            queue[0] = start
            seen = 1 << start
            met, done = 1, 0
            while done < met:
                for direction in range(4):
                    there = NEIGHBOURS[queue[done], direction]
                    if there < 0 or seen >> there & 1:
                        continue
                    cover = COVERS[letter, there]
                    if cover == 0 or cover & ~room:
                        continue
                    seen |= 1 << there
                    queue[met] = there
                    met += 1
                    order = 0
                    for at in range(there):
                        order += letters[at] == letter
                    letters[there] = letter
                    targets[count] = number_of(letters, cell, step, before)
                    letters[there] = 0
                    shifts[count] = 0 if order == passed[letter] else 1 + 25 * (letter - 1) + 5 * passed[letter] + order
                    count += 1
                done += 1
            letters[start] = letter
            passed[letter] += 1
    starts[size] = count
    return count


@kernel
def images_of_all(size: int, cell: Any, step: Any, before: Any, images: Any) -> None:
    """Compute the numbers of the three mirror images of all layouts of a class: *images* has a row for each mirror."""
    letters, image = np.zeros(CELLS, np.int8), np.zeros(CELLS, np.int8)
    for number in range(size):
        read(number, cell, step, before, letters)
        for mirror in range(3):
            image[:] = 0
            for at in range(CELLS):
                if letters[at]:
                    image[IMAGES[mirror, letters[at], at]] = letters[at]
            images[mirror, number] = number_of(image, cell, step, before)


@kernel
def caos_of_all(size: int, cell: Any, step: Any, before: Any, caos: Any) -> None:
    """Find the cell of the 2x2 block in all layouts of a class."""
    letters = np.zeros(CELLS, np.int8)
    for number in range(size):
        read(number, cell, step, before, letters)
        for at in range(CELLS):
            if letters[at] == 4:
                caos[number] = at


@kernel
def label_parts(starts: Any, targets: Any, part: Any, order: Any) -> int:
    """Number connected components in *part* (initially -1); list layouts breadth-first in *order*. Return the count."""
    parts = done = met = 0
    for root in range(len(part)):
        if part[root] >= 0:
            continue
        part[root] = parts
        order[met] = root
        met += 1
        while done < met:
            here = order[done]
            done += 1
            for edge in range(starts[here], starts[here + 1]):
                there = targets[edge]
                if part[there] < 0:
                    part[there] = parts
                    order[met] = there
                    met += 1
        parts += 1
    return parts


@kernel
def spread(starts: Any, targets: Any, distance: Any, queue: Any, met: int, limit: int) -> int:
    """Search breadth-first from the *met* layouts in *queue*, up to *limit* moves; return the number reached.

    *distance* must be 0 for layouts in the queue, else -1. Reached layouts are appended, nearest first.
    """
    done = 0
    while done < met:
        here = queue[done]
        if distance[here] == limit:
            break
        done += 1
        for edge in range(starts[here], starts[here + 1]):
            there = targets[edge]
            if distance[there] < 0:
                distance[there] = distance[here] + 1
                queue[met] = there
                met += 1
    return met


@kernel
def renumber(order: Any, place: Any, starts: Any, targets: Any, shifts: Any, into: Any) -> None:
    """Copy the moves of a class in another *order* of its layouts, with inverse *place*, to three new arrays."""
    new_starts, new_targets, new_shifts = into
    count = 0
    for here in range(len(order)):
        new_starts[here] = count
        for edge in range(starts[order[here]], starts[order[here] + 1]):
            new_targets[count] = place[targets[edge]]
            new_shifts[count] = shifts[edge]
            count += 1
    new_starts[len(order)] = count


@kernel
def turns_of_images(size: int, cell: Any, step: Any, before: Any, turns: Any) -> None:
    """Compute each mirror's permutation of the pieces: *turns* has shape (3, size, 4), the last by letter from 1.

    A turn is the alphabetical number of the permutation p if the i-th piece of the kind becomes the p[i]-th.
    """
    letters = np.zeros(CELLS, np.int8)
    image = np.zeros(6, np.int64)
    for number in range(size):
        read(number, cell, step, before, letters)
        for mirror in range(3):
            for letter in range(1, 5):
                count = turn = 0
                for at in range(CELLS):
                    if letters[at] == letter:
                        image[count] = IMAGES[mirror, letter, at]
                        count += 1
                for first in range(count):
                    smaller = 0
                    for other in range(first + 1, count):
                        smaller += image[other] < image[first]
                    turn = turn * (count - first) + smaller
                turns[mirror, number, letter - 1] = turn


@kernel
def count_left(size: int, cell: Any, step: Any, before: Any, counted: int, found: Any) -> None:
    """Count the pieces with the letter *counted* that begin in the left half of each layout of a class."""
    letters = np.zeros(CELLS, np.int8)
    for number in range(size):
        read(number, cell, step, before, letters)
        for at in range(CELLS):
            found[number] += letters[at] == counted and at % COLUMNS < COLUMNS // 2
