"""A board with ports, and all pushes possible in it.

Two neighbouring boards share an edge: a straight lane of two squares, one in each board, with one box. If the box is in
our square or deeper inside, the edge points to the neighbour; if outside, it points to us. The player pushes the box in
from the neighbour, and out from our board. The neighbour is unknown, so it may do whatever the lane allows: push its
box in when our square is free, push it on into the board, or take an emerging box so far that its own square is free
and the player can enter there. Outside, the player can walk from any place to any other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

WALL, FLOOR, BOX, ENTRANCE = "#-$+"


FULL, EMPTY = "full", "empty"


class Lane(NamedTuple):
    """*inside*: boxes that came in minus boxes that went out; *outside*: whether the neighbour's square holds a box."""

    inside: int
    outside: str

    @property
    def is_full(self) -> bool:
        return self.outside == FULL


class State(NamedTuple):
    """*boxes*: bit set by cell; *lanes*: one per port; *man*: the player's least reachable cell, -1 if outside."""

    boxes: int
    lanes: tuple[Lane, ...]
    man: int


@dataclass(frozen=True)
class Gadget:
    """*rows* of equal length: # wall, - floor, $ box, + open border square (entrance), a letter for a port square.

    Ports are border squares but not corners, and start with their box outside. The player starts outside.
    """

    rows: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Gadget":
        """Parse rows separated by bars or line ends."""
        return cls(tuple(text.replace("\n", "|").split("|")))

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @cached_property
    def text(self) -> str:
        return "".join(self.rows)

    @cached_property
    def ports(self) -> tuple[tuple[str, int, int], ...]:
        """(letter, cell, inward step) for each port, sorted by letter."""
        ports = []
        for cell, letter in enumerate(self.text):
            if letter.isalpha():
                row, column = divmod(cell, self.width)
                inwards = {0: self.width, len(self.rows) - 1: -self.width}.get(row)
                ports.append((letter, cell, inwards or (1 if column == 0 else -1)))
        return tuple(sorted(ports))

    @cached_property
    def _neighbours(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """(step, target) pairs for each cell, within the board and without walls."""
        return tuple(
            tuple(
                (step, cell + step)
                for step, is_inside in self._steps(cell)
                if is_inside and self.text[cell] != WALL and self.text[cell + step] != WALL
            )
            for cell in range(len(self.text))
        )

    def _steps(self, cell: int) -> tuple[tuple[int, bool], ...]:
        """Return the four steps, each with whether it stays on the board."""
        row, column = divmod(cell, self.width)
        return (
            (-1, column > 0),
            (1, column < self.width - 1),
            (-self.width, row > 0),
            (self.width, row < len(self.rows) - 1),
        )

    @cached_property
    def _entrances(self) -> tuple[int, ...]:
        return tuple(cell for cell, letter in enumerate(self.text) if letter == ENTRANCE)

    @cached_property
    def start(self) -> State:
        boxes = sum(1 << cell for cell, letter in enumerate(self.text) if letter == BOX)
        return State(boxes, tuple(Lane(0, FULL) for _port in self.ports), -1)

    @cached_property
    def _corners(self) -> int:
        """Bit set of cells where walls on two sides trap a box forever. Excludes ports and initial box cells."""
        corners = 0
        for cell, letter in enumerate(self.text):
            if letter not in (FLOOR, ENTRANCE):
                continue
            open_steps = {step for step, _to in self._neighbours[cell]}
            # The square beyond an entrance is unknown.
            known_steps = {step for step, is_inside in self._steps(cell) if is_inside or letter == FLOOR}
            if {1, -1} & known_steps - open_steps and {self.width, -self.width} & known_steps - open_steps:
                corners |= 1 << cell
        return corners

    def is_cornered(self, state: State) -> bool:
        """Return whether a box is stuck in a corner that had no box at the start."""
        return bool(state.boxes & self._corners)

    def is_unclear(self, state: State) -> bool:
        """Return whether a lane's box has left its two squares, or a box is on an entrance: what follows is unknown."""
        for (_letter, cell, _step), lane in zip(self.ports, state.lanes, strict=True):
            if lane.inside != bool(state.boxes >> cell & 1) or lane.inside + lane.is_full != 1:
                return True
        return any(state.boxes >> cell & 1 for cell in self._entrances)

    def reach(self, state: State) -> tuple[set[int], bool]:
        """Return the cells that the player can reach, and whether the outside is reachable."""
        open_entrances = [cell for cell in self._entrances if not state.boxes >> cell & 1]
        for (_letter, cell, _step), lane in zip(self.ports, state.lanes, strict=True):
            if not lane.is_full and not state.boxes >> cell & 1:
                open_entrances.append(cell)
        reached = set() if state.man < 0 else {state.man}
        reaches_outside = state.man < 0
        stack = list(open_entrances if reaches_outside else reached)
        reached.update(stack)
        while stack:
            cell = stack.pop()
            if not reaches_outside and cell in open_entrances:
                reaches_outside = True
                stack += [entrance for entrance in open_entrances if entrance not in reached]
                reached.update(open_entrances)
            for _step, target in self._neighbours[cell]:
                if target not in reached and not state.boxes >> target & 1:
                    reached.add(target)
                    stack.append(target)
        return reached, reaches_outside

    def successors(self, state: State) -> Iterator[State]:
        """Yield the states after one push, made inside or by a neighbour."""
        cells, reaches_outside = self.reach(state)
        for cell in cells:
            for step, target in self._neighbours[cell]:
                beyond = target + step
                if (
                    state.boxes >> target & 1
                    and (step, beyond) in self._neighbours[target]
                    and not state.boxes >> beyond & 1
                ):
                    yield self._normalise(state.boxes ^ 1 << target ^ 1 << beyond, state.lanes, target)
        for at, (_letter, cell, inwards) in enumerate(self.ports):
            lane = state.lanes[at]
            has_box = bool(state.boxes >> cell & 1)
            inner_cell, bit = cell + inwards, 1 << cell
            if has_box and not lane.is_full and inner_cell in cells:  # out
                yield self._normalise(state.boxes ^ bit, _replace_lane(state, at, lane.inside - 1, FULL), cell)
            if lane.is_full and cell in cells:  # further out, if the neighbour has room
                yield self._normalise(state.boxes, _replace_lane(state, at, lane.inside, EMPTY), cell)
            if not reaches_outside:
                continue
            if lane.is_full and not has_box:  # in
                yield self._normalise(state.boxes ^ bit, _replace_lane(state, at, lane.inside + 1, EMPTY), -1)
            is_open = (inwards, inner_cell) in self._neighbours[cell] and not state.boxes >> inner_cell & 1
            if has_box and not lane.is_full and is_open:  # further in
                yield self._normalise(state.boxes ^ bit ^ 1 << inner_cell, state.lanes, cell)
            if not lane.is_full and lane.inside <= 0:  # back from deeper inside the neighbour
                yield self._normalise(state.boxes, _replace_lane(state, at, lane.inside, FULL), -1)

    def _normalise(self, boxes: int, lanes: tuple[Lane, ...], man: int) -> State:
        cells, is_out = self.reach(State(boxes, lanes, man))
        return State(boxes, lanes, -1 if is_out else min(cells))


def _replace_lane(state: State, index: int, count: int, outside: str) -> tuple[Lane, ...]:
    return (*state.lanes[:index], Lane(count, outside), *state.lanes[index + 1 :])
