"""Boards as passages: where the man comes out again, and what he has changed meanwhile.

The other way to make a machine of a level: not the boxes carry the signals from board to board but the man, and a
board remembers in its boxes which ways are open. What a board can do is compared with a table by simulation (Milner,
1971): if each can follow whatever the other does, step by step for ever, the man gets along in both by the same ways.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

WALL, BOX = "#$"

# For each state the ways through: where in, where out, and the state after.
Way = tuple[str, str, Hashable]
Table = Mapping[Any, frozenset[Way]]
Boxes = frozenset[tuple[int, int]]  # their cells, as row and column


@dataclass(frozen=True)
class Passage:
    """*rows* of equal length: # wall, - floor, $ a box, a digit or letter a gate at the border. The man is outside."""

    rows: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Passage":
        """Read rows with bars or line ends between them."""
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
        """The ways through, by where the boxes are; `start` is the first of its states. Time O(states · cells)."""
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
        """Each gate by its letter, and its cell as row and column."""
        return ((letter, cell) for cell, letter in sorted(self._floor.items()) if letter.isalnum())

    def _ways(self, boxes: Boxes, gate: str, cell: tuple[int, int]) -> Iterator[tuple[str, str, Boxes]]:
        """Each way of the man who comes in at *gate*, pushes what he likes, and goes out."""
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
    """Whether whatever can be done in *other* from its state *begin* on can be done in *table* from *start* on."""
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
    """Whether *passage* and *table* let the man along by the same ways for ever, and no box ever gets to a gate.

    What would become of a box beyond its gate nobody can say who sees this board alone.
    """
    made = passage.table
    if any(cell in boxes for boxes in made for _letter, cell in passage.gates()):
        return False
    return follows(made, passage.start, table, start) and follows(table, start, made, passage.start)


def turnstile() -> dict[Hashable, frozenset[Way]]:
    """A table of four gates: gate s + 1 is shut in state s, all others are open to each other. Who comes in at the shut
    gate may go back, or open it and so shut the next.
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


# One box goes round in four squares: each push ends at a wall. Pushed out of them it shuts the gate where it then lies.
TURNSTILE = Passage.parse("#2####|#-#--3|#---##|##$--#|1--#-#|####4#")
# The same, its gates joined by a path: the box is home after three quarters of a turn.
TURNSTILE_LEVEL = (
    "##########|#@-------#|#-#-####-#|#-#-#----#|#-#---##-#|#-##$.-#-#|#----#-#-#|#-####-#-#|#--------#|##########"
)
