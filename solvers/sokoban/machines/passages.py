"""Boards as passages: which gates the player can leave by, and how the passage changes the board.

In this second way to build a machine, the player carries the signals between boards instead of the boxes, and a
board's boxes remember which ways are open. A board is compared with a table by simulation (Milner, 1971): if each can
match every step of the other forever, the player can pass both in the same ways.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

WALL, BOX = "#$"

# For each state its ways through: entry gate, exit gate, next state.
Way = tuple[str, str, Hashable]
Table = Mapping[Any, frozenset[Way]]
Boxes = frozenset[tuple[int, int]]  # cells as (row, column)


@dataclass(frozen=True)
class Passage:
    """*rows* of equal length: # wall, - floor, $ box, a digit or letter for a border gate. The player is outside."""

    rows: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Passage":
        """Parse rows separated by bars or line ends."""
        return cls(tuple(text.replace("\n", "|").split("|")))

    @cached_property
    def _floor(self) -> dict[tuple[int, int], str]:
        return {
            (row, column): letter
            for row, line in enumerate(self.rows)
            for column, letter in enumerate(line)
            if letter != WALL
        }

    @cached_property
    def table(self) -> dict[Boxes, frozenset[Way]]:
        """Ways through, by box configuration; `start` is the first state. Time O(states · cells)."""
        table: dict[Boxes, frozenset[Way]] = {}
        stack = [self.start]
        while stack:
            boxes = stack.pop()
            if boxes in table:
                continue
            ways = {
                way for gate, cell in self.gates() if cell not in boxes for way in self._paths_from(boxes, gate, cell)
            }
            table[boxes] = frozenset((entry_gate, exit_gate, next_boxes) for entry_gate, exit_gate, next_boxes in ways)
            stack += [next_boxes for _one, _other, next_boxes in ways]
        return table

    @property
    def start(self) -> Boxes:
        return frozenset(cell for cell, letter in self._floor.items() if letter == BOX)

    def gates(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Return (letter, (row, column)) for each gate."""
        return ((letter, cell) for cell, letter in sorted(self._floor.items()) if letter.isalnum())

    def _paths_from(self, boxes: Boxes, gate: str, cell: tuple[int, int]) -> Iterator[tuple[str, str, Boxes]]:
        """Yield each way of a player who enters at *gate*, makes any pushes, and leaves."""
        seen = {(boxes, cell)}
        todo = [(boxes, cell)]
        while todo:
            current, (row, column) = todo.pop()
            if self._floor[row, column].isalnum():
                yield gate, self._floor[row, column], current
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                target, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
                moved = current
                if target in current and beyond in self._floor and beyond not in current:
                    moved = current - {target} | {beyond}
                if target in self._floor and target not in moved and (moved, target) not in seen:
                    seen.add((moved, target))
                    todo.append((moved, target))


def simulates(table: Table, start: Hashable, other: Table, other_start: Hashable) -> bool:
    """Return whether *table* from state *start* can simulate *other* from state *other_start*."""
    pairs = {(state, other_state) for state in table for other_state in other}

    def can_match(state: Hashable, other_state: Hashable) -> bool:
        return all(
            any(way[:2] == (entry_gate, exit_gate) and (way[2], next_state) in pairs for way in table[state])
            for entry_gate, exit_gate, next_state in other[other_state]
        )

    while unmatched := {pair for pair in pairs if not can_match(*pair)}:
        pairs -= unmatched
    return (start, other_start) in pairs


def is_passage(passage: Passage, table: Table, start: Hashable) -> bool:
    """Return whether *passage* and *table* allow the same ways forever, and no box ever reaches a gate.

    The effect of a box pushed through a gate cannot be determined from this board alone.
    """
    passage_table = passage.table
    if any(cell in boxes for boxes in passage_table for _letter, cell in passage.gates()):
        return False
    return simulates(passage_table, passage.start, table, start) and simulates(
        table, start, passage_table, passage.start
    )


def turnstile() -> dict[Hashable, frozenset[Way]]:
    """Return a table of four gates. In state s gate s + 1 is shut and the others are connected. A player who enters at
    the shut gate may go back, or open it and thereby shut the next gate.
    """
    gates = "1234"

    def open_ways(state: int, entries: str) -> set[Way]:
        return {
            (entry_gate, exit_gate, state) for entry_gate in entries for exit_gate in gates.replace(gates[state], "")
        }

    return {
        state: frozenset(
            open_ways(state, gates.replace(gates[state], ""))
            | {(gates[state], gates[state], state)}
            | open_ways((state + 1) % 4, gates[state])
        )
        for state in range(4)
    }


# One box circulates on four squares; each push ends at a wall. Pushed off these it shuts the gate where it ends up.
TURNSTILE = Passage.parse("#2####|#-#--3|#---##|##$--#|1--#-#|####4#")
# The same with its gates joined by a path: the box reaches its goal after three quarters of a turn.
TURNSTILE_LEVEL = (
    "##########|#@-------#|#-#-####-#|#-#-#----#|#-#---##-#|#-##$.-#-#|#----#-#-#|#-####-#-#|#--------#|##########"
)
