"""Player reachability and single-box push paths, with shortest paths as LURD.

Push paths are a search over (box square, side on which the player stands). Whether the player can walk from one side
to another without moving the box is precomputed for all squares: with the box lifted and the other boxes as walls,
two neighbours of a square are connected around it if and only if their edges to it lie in the same biconnected block.
The author of SokoPlayer published the idea, sokoban.ws/blog posts 843 and 1000. A predecessor is stored for every
square *and* side, because a box may have to cross a square twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

from solvers.choices import Choice
from solvers.sokoban import kernels
from solvers.sokoban.arena import CRATE, FREE
from solvers.sokoban.kernels import kernel, table
from solvers.sokoban.level import Level
from solvers.sokoban.position import Position

_LETTERS = "lurd"


class Fewest(Choice):
    """The quantity a push path minimises. Paths with fewest moves have, among those, the fewest pushes too."""

    PUSHES = "pushes"
    MOVES = "moves"


def reach(level: Level, position: Position) -> frozenset[int]:
    """Return the cells the player can walk to, including the current cell. Time O(cells)."""
    ground = _Ground(level, position.boxes)
    return frozenset(map(level.arena.cell, ground.flood(level.arena.square(position.player)).squares))


def walk(level: Level, position: Position, to: int) -> str | None:
    """Return a shortest walk of the player to the cell *to*, or None if it cannot be reached.

    >>> level = Level.parse("#####|#@--#|##$-#|#-.-#|#####")
    >>> walk(level, Position.start(level), level.width * 3 + 1)
    'rrddll'

    Time O(cells).
    """
    ground = _Ground(level, position.boxes)
    goal = level.arena.square(to)
    return ground.flood(level.arena.square(position.player), goal).walk(goal)


def push_paths(level: Level, position: Position, box: int, *, fewest: Fewest | str = Fewest.PUSHES) -> "PushPaths":
    """Compute where the box on cell *box* can be pushed while all other boxes stay in place.

    >>> level = Level.parse("#######|#@$---#|#####.#|#######")
    >>> paths = push_paths(level, Position.start(level), 9)
    >>> sorted(paths.targets)
    [10, 11, 12]
    >>> paths.to(11)
    'RR'

    Raise ValueError if there is no box on the cell. Time O(cells) for fewest pushes; for fewest moves O(cells) on open
    floor and O(cells^2) in the worst case.
    """
    if box not in position.boxes:
        raise ValueError(f"no box on cell {box}")
    return PushPaths(level, position, box, Fewest(fewest))


class PushPaths:
    """Push paths of one box from a position: see `push_paths`."""

    def __init__(self, level: Level, position: Position, box: int, fewest: Fewest) -> None:
        self._arena = level.arena
        self._ground = _Ground(level, [other for other in position.boxes if other != box])
        self._man = level.arena.square(position.player)
        self._box = level.arena.square(box)
        states = 4 * len(level.arena.squares)
        self._pushes, self._previous = table(states, -1), table(states, -1)
        self._best = self._search(fewest)

    @cached_property
    def targets(self) -> frozenset[int]:
        """Cells the box can be pushed to, without its current cell."""
        inside = chain.from_iterable(self._rows())
        return frozenset(cell for cell, state in enumerate(inside) if state >= 0 and state >> 2 != self._box)

    def _rows(self) -> Iterator[list[int]]:
        """Yield the best states row by row, without the ring."""
        stride = self._arena.stride
        for start in range(stride, len(self._best) - stride, stride):
            yield self._best[start + 1 : start + stride - 1]

    def pushes(self, to: int) -> int:
        """Return the number of pushes to bring the box to cell *to*. Raise KeyError if it cannot be pushed there."""
        return int(self._pushes[self._best_state_at(to)])

    def to(self, to: int) -> str:
        """Return the LURD path that pushes the box to cell *to*, from the player's first step to the last push.

        Raise KeyError if it cannot be pushed there. Time O(cells * pushes) at worst, O(cells + moves) on open floor.
        """
        states = [self._best_state_at(to)]
        if states[0] >> 2 == self._box:
            return ""
        while (previous := self._previous[states[-1]]) >= 0:
            states.append(int(previous))
        states.reverse()
        letters = [self._walk_past(self._box, self._man, self._player_square(states[0]))]
        for before, after in pairwise(states):
            side = after & 3  # the player's side before the push and after it
            letters.append(
                self._walk_past(before >> 2, self._player_square(before), self._player_square(before & ~3 | side))
            )
            letters.append(_LETTERS[side ^ 2].upper())
        return "".join(letters)

    def _walk_past(self, box: int, start: int, stop: int) -> str:
        """Return a shortest walk with the box on square *box*; the search has already found that a walk exists."""
        if start == stop:
            return ""
        with self._ground.block(box):
            return self._ground.flood(start, stop).walk(stop) or ""

    def _player_square(self, state: int) -> int:
        """Return the player's square in a state."""
        return (state >> 2) + self._ground.deltas[state & 3]

    def _best_state_at(self, to: int) -> int:
        state = self._best[self._arena.square(to)]
        if state < 0:
            raise KeyError(to)
        return state

    def _search(self, fewest: Fewest) -> list[int]:
        """Return the best state of the box for each square, -1 if it cannot be pushed there."""
        field, deltas = self._ground.tables
        squares = len(field)
        blocks = kernels.Blocks(field, deltas, table(squares), table(squares))
        kernel(kernels.label_blocks)(blocks, self._box, *(table(squares) for _ in range(4)))
        walks = kernels.table_of(self._first_walks(fewest))
        pushing = kernels.Pushing(self._pushes, self._previous, table(squares, -1), table(4 * squares))
        if fewest == Fewest.PUSHES:
            kernel(kernels.fewest_pushes)(blocks, self._box, walks, pushing)
        else:
            moves, walked = table(4 * squares, -1), table(squares)
            kernel(kernels.fewest_moves)(blocks, self._box, walks, pushing, moves, walked)
        return kernels.values(pushing.best, squares)

    def _first_walks(self, fewest: Fewest) -> list[int]:
        """Return the player's walk length to each side of the box, -1 if unreachable. For fewest pushes all are 0."""
        with self._ground.block(self._box):
            flood = self._ground.flood(self._man)
        sides = [self._box + delta for delta in self._ground.deltas]
        if fewest == Fewest.PUSHES:
            return [0 if flood.came[side] else -1 for side in sides]
        return [-1 if walk is None else len(walk) for walk in map(flood.walk, sides)]


_IS_GROUND = bytes(content in (FREE, CRATE) for content in range(256))


class _Ground:
    """Squares of an arena on which the player may walk."""

    def __init__(self, level: Level, boxes: Iterable[int]) -> None:
        arena = level.arena
        self._field = bytearray(arena.squares).translate(_IS_GROUND)
        for box in boxes:
            self._field[arena.square(box)] = 0
        self.deltas = [arena.deltas[letter] for letter in _LETTERS]
        self.tables = kernels.view(self._field), kernels.table_of(self.deltas)

    @contextmanager
    def block(self, square: int) -> Iterator[None]:
        """Block *square* within the context."""
        self._field[square] = 0
        yield
        self._field[square] = 1

    def flood(self, start: int, stop: int = -1) -> "_Flood":
        """Search breadth-first from *start*, everywhere or until *stop* is reached."""
        came, queue = table(len(self._field)), table(len(self._field))
        size = kernel(kernels.flood)(*self.tables, start, stop, came, queue)
        return _Flood(self.deltas, start, came, queue, size)


class _Flood(NamedTuple):
    """Squares reached by walking from *start*: see `kernels.flood`."""

    deltas: list[int]
    start: int
    came: Sequence[int]
    queue: Sequence[int]
    size: int

    @property
    def squares(self) -> list[int]:
        return kernels.values(self.queue, self.size)

    def walk(self, stop: int) -> str | None:
        """Return a shortest walk to *stop*, or None if it was not reached."""
        if not self.came[stop]:
            return None
        letters = []
        while stop != self.start:
            direction = self.came[stop] - 1
            letters.append(_LETTERS[direction])
            stop -= self.deltas[direction]
        return "".join(reversed(letters))
