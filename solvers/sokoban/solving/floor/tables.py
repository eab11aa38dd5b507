"""Loops over whole tables. (Slice assignment in a kernel takes seconds to compile.)"""

import numpy as np

from solvers.sokoban.solving.compiling import Table, inner


@inner
def fill(table: Table, value: int) -> None:
    """Set every entry to *value*."""
    for at in range(table.shape[0]):
        table[at] = value


@inner
def copy(source: Table, target: Table) -> None:
    """Copy *source* to *target*."""
    for at in range(source.shape[0]):
        target[at] = source[at]


@inner
def stamp(marks: Table) -> int:
    """Return a number that does not occur in *marks*; the last entry of *marks* stores the last number returned."""
    last = marks.shape[0] - 1
    if marks[last] > 2_000_000_000:
        fill(marks, 0)
    marks[last] += 1
    return np.int64(marks[last])  # type: ignore[return-value]
