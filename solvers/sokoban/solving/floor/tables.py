"""Whole tables at once. (Assigning to a slice in a kernel compiles a general routine for seconds.)"""

import numpy as np

from solvers.sokoban.solving.compiling import Table, inner


@inner
def fill(table: Table, value: int) -> None:
    """Write *value* everywhere."""
    for at in range(table.shape[0]):
        table[at] = value


@inner
def copy(source: Table, target: Table) -> None:
    """Write all of *source* into *target*."""
    for at in range(source.shape[0]):
        target[at] = source[at]


@inner
def stamp(marks: Table) -> int:
    """A number that stands nowhere in *marks*, whose last entry keeps the last one given out."""
    last = marks.shape[0] - 1
    if marks[last] > 2_000_000_000:
        fill(marks, 0)
    marks[last] += 1
    return np.int64(marks[last])  # type: ignore[return-value]
