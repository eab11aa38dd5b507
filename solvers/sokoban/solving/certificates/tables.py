"""Bounds of a certificate: what each box needs at least, as sums that a checker can compute again quickly.

A price list gives every goal a price. A box needs the least of (cost to a goal - price) over all goals; what all boxes
need, plus the sum of the prices, is at most the cost of the cheapest matching: linear programming duality. So a list
proves a bound for every state by additions alone. Good lists are the potentials of cheapest matchings.

The cells are those of the checker: places in the level's text, whose rows are joined by `|`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from solvers.sokoban.level import Level
from solvers.sokoban.solving.board import FAR, Board
from solvers.sokoban.solving.floor.matching import assign, matching_for
from solvers.sokoban.solving.proving.heights import raise_costs
from solvers.sokoban.solving.proving.lower_bounds import costs_to
from solvers.sokoban.solving.proving.symmetries import itself

_NOWHERE = 10**12


def bits(cells: int) -> Iterator[int]:
    """Yield the members of a set of cells, ascending."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


class Tables:
    """Sets of cells and costs of lone boxes, which show that no solution below *least* goes through some states."""

    def __init__(self, level: Level, board: Board, least: int, *, with_moves: bool) -> None:
        stride = level.width + 1
        self.cells = [cell // level.width * stride + cell % level.width for cell in board.cells.tolist()]
        self.steps = (-1, -stride, 1, stride)  # in the order of the board's directions
        self.floor = sum(1 << cell for cell in self.cells)
        self.boxes = sum(1 << self.cells[square] for square in board.boxes)
        self.goals = sum(1 << self.cells[square] for square in board.goals)
        self.player = self.cells[board.player]
        self.least = least
        self.dead = sum(1 << cell for cell, dead in zip(self.cells, board.dead[:-1], strict=True) if dead)
        costs = costs_to(board, board.goals, pull=False)
        if with_moves:
            costs = raise_costs(board, itself(board), costs)
        self.heights = dict(zip(self.cells, costs.heights[:-1].tolist(), strict=True))
        self.prices: list[list[int]] = []
        self._needs: list[list[int]] = []
        self._pushes = costs.pushes
        self._matching = matching_for(len(board.boxes))
        self._rows = self._number_rows(costs.row.reshape(-1, 4))
        self._crowds = self._find_crowds()

    def _number_rows(self, rows: Any) -> dict[int, dict[int, int]]:
        """Return the row of the costs by the box's cell and the player's, as if there were no other box."""
        table: dict[int, dict[int, int]] = {}
        for box, sides in zip(self.cells, rows.tolist(), strict=True):
            table[box] = {}
            for row, step in zip(sides, self.steps, strict=True):
                if row >= 0 and box + step not in table[box]:
                    zone = self.flood(1 << box + step, self.floor ^ 1 << box)
                    table[box].update(dict.fromkeys(bits(zone), row))
        return table

    def _find_crowds(self) -> list[tuple[int, int]]:
        """Return sets of cells from which lone boxes reach only the goals of a few, and the number of these goals."""
        is_reached = self._pushes < FAR
        reached = {
            box: frozenset(np.flatnonzero(is_reached[np.array([*rows.values()], np.intp)].any(axis=0)).tolist())
            for box, rows in self._rows.items()
        }
        families = set(reached.values())
        return [(sum(1 << box for box, goals in reached.items() if goals <= few), len(few)) for few in families]

    def flood(self, cells: int, free: int) -> int:
        """Return the cells of *free* connected with *cells*."""
        stride, fresh = self.steps[3], cells
        while fresh:
            fresh = (fresh << 1 | fresh >> 1 | fresh << stride | fresh >> stride) & free & ~cells
            cells |= fresh
        return cells

    def cheapest_matching(self, boxes: int, man: int) -> tuple[int, list[int]]:
        """Return the best bound of what a state still costs, FAR or more if it has no matching, and its prices."""
        rows = [self._rows[box][man] for box in bits(boxes)]
        self._matching.costs[:] = self._pushes[np.array(rows, np.intp)]
        bound = int(assign(self._matching, len(rows)))
        return self.heights[man] + bound, self._matching.columns[1:].tolist()

    def use_prices(self, prices: list[int]) -> None:
        """Add a price list. (Potentials are small if there is a matching; the format takes six digits.)"""
        needs = np.where(self._pushes < FAR, self._pushes - np.array(prices, np.int64), _NOWHERE).min(axis=1)
        self.prices.append(prices)
        self._needs.append(needs.tolist())

    def is_lost(self, boxes: int, man: int, cost: int, moved: int | None = None) -> bool:
        """Return whether a state is lost at this cost. With *moved*, the box pushed there is the only new one."""
        if any((boxes & cells).bit_count() > count for cells, count in self._crowds):
            return True
        if any(self._is_in_frozen_set(boxes, box) for box in (bits(boxes) if moved is None else (moved,))):
            return True
        rest = self.least - cost - self.heights[man]
        rows = [self._rows[box][man] for box in bits(boxes)]
        return any(
            sum(prices) + sum(needs[row] for row in rows) >= rest
            for prices, needs in zip(self.prices, self._needs, strict=True)
        )

    def _is_in_frozen_set(self, boxes: int, moved: int) -> bool:
        """Return whether *moved* is one of some boxes that hold each other for ever, one of them off goal."""
        frozen = boxes
        is_changed = True
        while is_changed:
            if self._is_free(moved, frozen):
                return False
            free = [box for box in bits(frozen) if self._is_free(box, frozen)]
            frozen &= ~sum(1 << box for box in free)
            is_changed = bool(free)
        return bool(frozen & ~self.goals)

    def _is_free(self, box: int, frozen: int) -> bool:
        around = [1 << box + step if box + step >= 0 else 0 for step in self.steps]
        clear, alive = self.floor & ~frozen, self.floor & ~self.dead
        return any(
            around[axis] & clear and around[axis + 2] & clear and (around[axis] | around[axis + 2]) & alive
            for axis in (0, 1)
        )
