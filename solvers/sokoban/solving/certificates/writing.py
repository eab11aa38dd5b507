"""Write the certificate of a proved answer.

The search of the proof prunes by tests that take long to check. So this module searches the level again, now that the
answer is known: breadth-first by cost, keeping every state that `tables` does not call lost. These states are the
certificate. Certificates by closed sets of states are due to Eriksson, Röger, Helmert: Unsolvability Certificates for
Classical Planning, 2017.
"""

import lzma
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise

from solvers.errors import BadLevel
from solvers.sokoban.level import Level
from solvers.sokoban.solving.answers import Aim, Answer, Solved, Unknown
from solvers.sokoban.solving.board import FAR, Hopeless, make_board
from solvers.sokoban.solving.certificates.tables import Tables, bits

MOST_STATES = 200_000  # a fifth of what the checker takes
MOST_BYTES = 4 << 20
_MOST_CELLS = 1_000
_MOST_PRICES = 16
_LESSON = 2_000  # states of the first search, which collects prices
_NEVER = 10**9


class NoCertificate(Exception):
    """Raised if a proved answer has no certificate within the limits. `prove` adds the answer, which is still true."""

    answer: Answer


def certify(
    level: Level | str,
    answer: Answer,
    *,
    most_states: int = MOST_STATES,
    most_bytes: int = MOST_BYTES,
    cancelled: Callable[[], bool] | None = None,
) -> bytes:
    """Return the certificate of a proved *answer* of *level*.

    Raise ValueError if the answer proves nothing, BadLevel if no replay can judge the level, and NoCertificate if the
    certificate would have more than *most_states* states or *most_bytes* bytes, or once *cancelled* returns true.
    """
    level = Level.of(level)
    if level.unjudgeable:
        raise BadLevel(problem=level.unjudgeable)
    if isinstance(answer, Unknown) or (isinstance(answer, Solved) and answer.proven is None):
        raise ValueError("only a proved answer has a certificate")
    claim, lurd, least = "unsolvable", "", _NEVER
    if isinstance(answer, Solved):
        least = answer.moves if answer.proven == Aim.MOVES else answer.pushes
        claim, lurd = f"{answer.proven} {least}", answer.lurd
    if len(level.published_text) > _MOST_CELLS:
        raise NoCertificate(f"the board has more than {_MOST_CELLS:,} cells")
    heights, prices, costs = [0] * len(level.reach), list[list[int]](), dict[int, int]()
    try:
        board = make_board(level)
    except Hopeless:  # a fact about the start, without any state
        pass
    else:
        with_moves = claim.startswith("moves")
        tables = Tables(level, board, least, with_moves=with_moves)
        costs = _Search(tables, len(level.published_text), with_moves=with_moves, cancelled=cancelled).close(
            most_states
        )
        heights, prices = list(tables.heights.values()), tables.prices
    head = ["Sokoban certificate 1", claim, f"Level: {level.published_text}", f"Solution: {lurd}"]
    lists = [f"Prices: {len(prices)}", *(" ".join(map(str, wares)) for wares in prices), f"States: {len(costs)}"]
    lines = [*head, f"Heights: {' '.join(map(str, heights))}", *lists, *_state_lines(costs)]
    digest = sha256("\n".join(lines).encode("ascii")).hexdigest()
    packed = lzma.compress("\n".join([*lines, digest, ""]).encode("ascii"))
    if len(packed) > most_bytes:
        raise NoCertificate(f"it would have {len(packed):,} bytes, more than {most_bytes:,}")
    return packed


def _state_lines(costs: dict[int, int]) -> Iterator[str]:
    """Yield a line for each cost: the numbers of its states, ascending, each less the one before."""
    by_cost: dict[int, list[int]] = {}
    for state, cost in costs.items():
        by_cost.setdefault(cost, []).append(state)
    for cost, states in sorted(by_cost.items()):
        states.sort()
        steps = (state - before for before, state in pairwise([0, *states]))
        yield f"{cost} {' '.join(f'{step:x}' for step in steps)}"


class _Search:
    """Search for all states that a solution below the claim might go through.

    A state's number is its boxes, as a set of cells, times *size*, plus the player's cell: the exact one if moves
    count, else the first of its zone.
    """

    def __init__(self, tables: Tables, size: int, *, with_moves: bool, cancelled: Callable[[], bool] | None) -> None:
        self._tables, self._size, self._with_moves, self._cancelled = tables, size, with_moves, cancelled

    def close(self, most_states: int) -> dict[int, int]:
        """Return the costs of all states that are not lost, by number."""
        tables = self._tables
        bound, prices = tables.cheapest_matching(tables.boxes, tables.player)
        if tables.goals:
            tables.use_prices(prices if bound < FAR and tables.least < _NEVER else [0] * len(prices))
        if tables.least < _NEVER:
            self._collect(_LESSON, is_lesson=True)
        costs = self._collect(most_states + 1)
        if len(costs) > most_states:
            raise NoCertificate(f"it would have more than {most_states:,} states")
        return costs

    def _collect(self, most: int, *, is_lesson: bool = False) -> dict[int, int]:
        """Return up to *most* states that are not lost; in a lesson add the prices by which more would be."""
        tables, costs = self._tables, dict[int, int]()
        if tables.is_lost(tables.boxes, tables.player, 0):
            return costs
        start = self._number(tables.boxes, tables.player)
        found, waiting = {start: 0}, {0: [start]}
        while waiting:
            cost = min(waiting)
            for state in waiting.pop(cost):
                if found[state] < cost or len(costs) == most:
                    continue
                costs[state] = cost
                if self._cancelled and len(costs) % 256 == 1 and self._cancelled():
                    raise NoCertificate("it was interrupted")
                for boxes, man, target, more in self._pushes(*divmod(state, self._size)):
                    total, number = cost + more, self._number(boxes, man)
                    if boxes == tables.goals or found.get(number, _NEVER) <= total:
                        continue
                    if not tables.is_lost(boxes, man, total, target) and not (
                        is_lesson and self._is_lost_by_new_prices(boxes, man, total)
                    ):
                        found[number] = total
                        waiting.setdefault(total, []).append(number)
            if len(costs) == most:
                break
        return costs

    def _is_lost_by_new_prices(self, boxes: int, man: int, cost: int) -> bool:
        tables = self._tables
        bound, prices = tables.cheapest_matching(boxes, man)
        if cost + bound < tables.least or bound >= FAR or len(tables.prices) == _MOST_PRICES:
            return False
        tables.use_prices(prices)
        return True

    def _number(self, boxes: int, man: int) -> int:
        if not self._with_moves:
            zone = self._tables.flood(1 << man, self._tables.floor & ~boxes)
            man = next(bits(zone))
        return boxes * self._size + man

    def _pushes(self, boxes: int, man: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield every push: the boxes and the player after it, the box's new cell, and the cost."""
        free = self._tables.floor & ~boxes
        steps = self._walk(man, free)
        for box in bits(boxes):
            for step in self._tables.steps:
                target, walk = box + step, steps.get(box - step)
                if walk is not None and target >= 0 and free >> target & 1:
                    yield boxes ^ 1 << box ^ 1 << target, box, target, walk + 1 if self._with_moves else 1

    def _walk(self, man: int, free: int) -> dict[int, int]:
        """Return the player's steps to every cell in reach, breadth-first."""
        steps = {man: 0}
        queue = [man]
        for here in queue:
            for step in self._tables.steps:
                there = here + step
                if there >= 0 and free >> there & 1 and there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps
