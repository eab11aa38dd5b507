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
        found: dict[Boxes, frozenset[Way]] = {}
        todo = [self.start]
        while todo:
            boxes = todo.pop()
            if boxes in found:
                continue
            ways = {way for gate, cell in self.gates() if cell not in boxes for way in self._ways(boxes, gate, cell)}
            found[boxes] = frozenset((one, other, then) for one, other, then in ways)
            todo += [then for _one, _other, then in ways]
        return found

    @property
    def start(self) -> Boxes:
        return frozenset(cell for cell, letter in self._floor.items() if letter == BOX)

    def gates(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Return (letter, (row, column)) for each gate."""
        return ((letter, cell) for cell, letter in sorted(self._floor.items()) if letter.isalnum())

    def _ways(self, boxes: Boxes, gate: str, cell: tuple[int, int]) -> Iterator[tuple[str, str, Boxes]]:
        """Yield each way of a player who enters at *gate*, makes any pushes, and leaves."""
        seen = {(boxes, cell)}
        todo = [(boxes, cell)]
        while todo:
            now, (row, column) = todo.pop()
            if self._floor[row, column].isalnum():
                yield gate, self._floor[row, column], now
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                to, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
                then = now
                if to in now and beyond in self._floor and beyond not in now:
                    then = now - {to} | {beyond}
                if to in self._floor and to not in then and (then, to) not in seen:
                    seen.add((then, to))
                    todo.append((then, to))


def follows(table: Table, start: Hashable, other: Table, begin: Hashable) -> bool:
    """Return whether *table* from state *start* can simulate *other* from state *begin*."""
    pairs = {(here, there) for here in table for there in other}

    def can(here: Hashable, there: Hashable) -> bool:
        return all(
            any(way[:2] == (one, out) and (way[2], then) in pairs for way in table[here])
            for one, out, then in other[there]
        )

    while lost := {pair for pair in pairs if not can(*pair)}:
        pairs -= lost
    return (start, begin) in pairs


def is_passage(passage: Passage, table: Table, start: Hashable) -> bool:
    """Return whether *passage* and *table* allow the same ways forever, and no box ever reaches a gate.

    The effect of a box pushed through a gate cannot be determined from this board alone.
    """
    made = passage.table
    if any(cell in boxes for boxes in made for _letter, cell in passage.gates()):
        return False
    return follows(made, passage.start, table, start) and follows(table, start, made, passage.start)


def turnstile() -> dict[Hashable, frozenset[Way]]:
    """Return a table of four gates. In state s gate s + 1 is shut and the others are connected. A player who enters at
    the shut gate may go back, or open it and thereby shut the next gate.
    """
    gates = "1234"

    def open_ways(state: int, coming: str) -> set[Way]:
        return {(one, other, state) for one in coming for other in gates.replace(gates[state], "")}

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
