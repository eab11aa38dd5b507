"""First look: solve easy levels in plain Python, before loading numba, which takes most of a second.

Best-first search by single pulls from the goals, preferring boxes nearest to the start squares. A set of squares is one
integer, a bit per square, so the player's zone is flooded with shifts: all its squares step at once.
"""

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from solvers.sokoban.level import Level
from solvers.sokoban.paths import walk
from solvers.sokoban.position import Position

MOST_WORK = 100_000  # states expanded times floor squares
MOST_SQUARES = 2_000

Squares: TypeAlias = int  # one bit per square
_State: TypeAlias = tuple[Squares, Squares]  # the boxes, and one square of the player's zone
_LETTERS = "LURD"


def first_look(level: Level, most: int) -> tuple[str, int] | None:
    """Return a solution of *level* and the number of states found, or None, which proves nothing.

    At most *most* states are stored. The level must be judgeable.

    >>> first_look(Level.parse("######|#@$-.#|######"), 100)
    ('RR', 3)
    """
    if len(level.reach) > MOST_SQUARES or len(level.boxes) != len(level.goals) or level.boxes == level.goals:
        return None
    if not level.reach.issuperset((*level.boxes, *level.goals)):
        return None
    look = _Look(level)
    last = look.search(MOST_WORK // len(level.reach), most)
    return None if last is None else (look.lurd(last), len(look.came))


class _Look:
    """The search of one level. Rows of squares have a free column after them, so that no step wraps around the edge."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.stride = level.width + 1
        self.steps = (-1, -self.stride, 1, self.stride)
        self.floor = self._squares(level.reach)
        self.start, self.man = self._squares(level.boxes), self._squares([level.player])
        self.near = self._distances()
        self.came: dict[_State, _State | None] = {}

    def _squares(self, cells: Iterable[int]) -> Squares:
        return sum(1 << (cell + cell // self.level.width + self.stride) for cell in cells)

    def _cell(self, square: Squares) -> int:
        row, column = divmod(square.bit_length() - 1, self.stride)
        return (row - 1) * self.level.width + column

    def _distances(self) -> dict[Squares, int]:
        """Map each reachable square to the fewest pushes of a lone box from the nearest start square."""
        near = dict.fromkeys(_bits(self.start), 0)
        todo = list(near)
        for here in todo:
            for step in self.steps:
                there = _shift(here, step)
                if there & self.floor and _shift(here, -step) & self.floor and there not in near:
                    near[there] = near[here] + 1
                    todo.append(there)
        return near

    def _zone(self, free: Squares, start: Squares) -> Squares:
        zone, grown, stride = 0, start, self.stride
        while grown != zone:
            zone = grown
            grown = (zone | zone << 1 | zone >> 1 | zone << stride | zone >> stride) & free
            grown = (grown | grown << 1 | grown >> 1 | grown << stride | grown >> stride) & free
        return zone

    def search(self, turns: int, most: int) -> _State | None:
        """Pull until the boxes are on their start squares and the player is in the start zone; return that state."""
        waiting = list(self._ends())
        if not waiting:
            return None
        heapify(waiting)
        number = 0
        done = set()
        while waiting and turns and len(self.came) < most:
            distance, _, boxes, man = heappop(waiting)
            free = self.floor & ~boxes
            zone = self._zone(free, man)
            if (boxes, zone) in done:
                continue
            if boxes == self.start and zone & self.man:
                return boxes, man
            done.add((boxes, zone))
            turns -= 1
            for step in self.steps:
                for box in _bits(boxes & _shift(zone, -step) & _shift(free, -2 * step)):
                    target = _shift(box, step)
                    state = boxes ^ box ^ target, _shift(target, step)
                    if target in self.near and state not in self.came:
                        self.came[state] = boxes, man
                        number -= 1  # among equally near states, the newest first
                        heappush(waiting, (distance - self.near[box] + self.near[target], number, *state))
        return None

    def _ends(self) -> Iterator[tuple[int, int, Squares, Squares]]:
        """Yield the solved states, one per zone of the player, as queue entries."""
        boxes = self._squares(self.level.goals)
        distances = [self.near.get(box) for box in _bits(boxes)]
        left = self.floor & ~boxes
        while left and None not in distances:
            zone = self._zone(self.floor & ~boxes, left & -left)
            left &= ~zone
            state = boxes, zone & -zone
            self.came[state] = None
            yield sum(distance or 0 for distance in distances), 0, *state

    def lurd(self, state: _State) -> str:
        """Return the pulls that led to *state*, reversed as pushes with the shortest walks between them."""
        player, letters = self.level.player, []
        while before := self.came[state]:
            boxes, man = state
            box, target = boxes & ~before[0], before[0] & ~boxes
            position = Position(0, player, tuple(map(self._cell, _bits(boxes))))
            letters.append(walk(self.level, position, self._cell(man)) or "")
            letters += [_LETTERS[at] for at, step in enumerate(self.steps) if _shift(box, step) == target]
            player, state = self._cell(box), before
        return "".join(letters)


def _shift(squares: Squares, step: int) -> Squares:
    return squares << step if step > 0 else squares >> -step


def _bits(squares: Squares) -> Iterator[Squares]:
    while squares:
        least = squares & -squares
        yield least
        squares ^= least
