"""Minimum-cost matching of boxes and goals, and its update after one box has moved.

The Hungarian method (Kuhn, 1955) by shortest augmenting paths with potentials (Jonker, Volgenant 1987). Rows and
columns count from 1 here; column 0 only starts the paths. Costs are int64[k, k] from 0.
"""

from typing import NamedTuple

import numpy as np

from solvers.sokoban.solving.board import FAR
from solvers.sokoban.solving.compiling import Table, inner, kernel


class Matching(NamedTuple):
    """An assignment of k rows: potentials *rows*, *columns*; *row_of* a column; scratch (int64[k+1] each)."""

    costs: Table
    rows: Table
    columns: Table
    row_of: Table
    way: Table
    slack: Table
    used: Table


def matching_for(count: int) -> Matching:
    """Allocate an assignment of *count* boxes."""
    return Matching._make([np.zeros((count, count), np.int64), *(np.zeros(count + 1, np.int64) for _ in range(6))])


@kernel
def assign(matching: Matching, count: int) -> int:
    """Match all *count* rows by `matching.costs`; return the minimum cost, FAR or more if no matching exists.

    Time O(count³).
    """
    for at in range(count + 1):
        matching.rows[at] = matching.columns[at] = matching.row_of[at] = 0
    for row in range(1, count + 1):
        augment(matching, count, row)
    return total(matching, count)


@inner
def augment(matching: Matching, count: int, row: int) -> None:
    """Match one more row. Typically O(count²)."""
    costs, rows, columns, row_of = matching.costs, matching.rows, matching.columns, matching.row_of
    way, slack, used = matching.way, matching.slack, matching.used
    row_of[0] = row
    column = 0
    for at in range(count + 1):
        slack[at] = 1 << 40
        used[at] = 0
    while True:
        used[column] = 1
        here = row_of[column]
        step, row_costs = np.int64(1 << 40), costs[here - 1]
        following = 0
        for at in range(1, count + 1):
            if used[at] == 0:
                reduced = row_costs[at - 1] - rows[here] - columns[at]
                if reduced < slack[at]:
                    slack[at] = reduced
                    way[at] = column
                if slack[at] < step:
                    step = slack[at]
                    following = at
        for at in range(count + 1):
            if used[at]:
                rows[row_of[at]] += step
                columns[at] -= step
            else:
                slack[at] -= step
        column = following
        if row_of[column] == 0:
            break
    while column:
        row_of[column] = row_of[way[column]]
        column = way[column]


@inner
def total(matching: Matching, count: int) -> int:
    """Return the sum of the matched costs."""
    result = np.int64(0)
    for at in range(1, count + 1):
        result += matching.costs[matching.row_of[at] - 1, at - 1]
    return result  # type: ignore[return-value]


@inner
def copy_matching(source: Matching, target: Matching, count: int) -> None:
    """Copy the assignment of *source* to *target*, except for its costs."""
    for at in range(count + 1):
        target.rows[at] = source.rows[at]
        target.columns[at] = source.columns[at]
        target.row_of[at] = source.row_of[at]


@inner
def rematch(source: Matching, scratch: Matching, count: int, row: int) -> int:
    """Return the minimum cost with row *row* (from 0) of `scratch.costs` replacing that row of *source*.

    `scratch.costs` must be the same array as `source.costs`, its row already changed; *source* is otherwise unchanged.
    Time O(count²).
    """
    copy_matching(source, scratch, count)
    scratch.rows[row + 1] = 0
    for at in range(1, count + 1):
        if scratch.row_of[at] == row + 1:
            scratch.row_of[at] = 0
    augment(scratch, count, row + 1)
    return total(scratch, count)


@kernel
def goal_costs(distances: Table, boxes: Table, goals: Table, count: int, pull: bool, costs: Table) -> None:  # noqa: FBT001
    """Fill *costs* with the distances from box to goal, or with *pull* from square to box."""
    for row in range(count):
        for column in range(count):
            if pull:
                costs[row, column] = distances[goals[column], boxes[row]]
            else:
                costs[row, column] = distances[boxes[row], goals[column]]


@inner
def can_match(possible: Table, rows: int, columns: int, way: Table, row_of: Table, seen: Table, stack: Table) -> bool:
    """Return whether every row can be matched to its own column where *possible* (uint8[rows, columns]) is 1.

    Breadth-first augmenting paths. Worst case O(rows² * columns). The int32 arrays are scratch.
    """
    for column in range(columns):
        row_of[column] = -1
    for row in range(rows):
        for column in range(columns):
            seen[column] = 0
        stack[0] = row
        count = 1
        at = 0
        final = -1
        while at < count and final < 0:
            here = stack[at]
            at += 1
            for column in range(columns):
                if possible[here, column] == 0 or seen[column]:
                    continue
                seen[column] = 1
                way[column] = here
                if row_of[column] < 0:
                    final = column
                    break
                stack[count] = row_of[column]
                count += 1
        if final < 0:
            return False
        while True:
            here = way[final]
            before = -1
            if here != row:
                for column in range(columns):
                    if row_of[column] == here:
                        before = column
                        break
            row_of[final] = here
            if before < 0:
                break
            row_of[before] = -1
            final = before
    return True


__all__ = ["FAR", "Matching", "assign", "augment", "can_match", "goal_costs", "matching_for", "rematch", "total"]
