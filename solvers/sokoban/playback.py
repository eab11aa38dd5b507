"""Any moment of a long solution at once, and all moments in order: for pictures and players.

A replay has found the solution possible before; here its letters are believed, capitals at the pushes included.
"""

from collections.abc import Iterator

from solvers.sokoban.level import Level
from solvers.sokoban.position import Position

KEYFRAME_EVERY = 2_000


class Playback:
    """The positions of a solution: `playback[n]` is the one after n moves, iterating yields all of them in order.

    >>> level = Level.parse("######|#@$-.#|######")
    >>> playback = Playback(level, "RR")
    >>> playback[1]
    Position(number=1, player=8, boxes=(9,))
    >>> [position.player for position in playback]
    [7, 8, 9]

    *lurd* is the `lurd` of a `Replay` on the level. Making one plays it through once and keeps every 2,000th position,
    so that reaching any position costs at most 2,000 steps. Time O(moves), memory O(moves / 2,000 * boxes).
    """

    def __init__(self, level: Level, lurd: str) -> None:
        self.level = level
        self.lurd = lurd
        self._deltas = {"l": -1, "u": -level.width, "r": 1, "d": level.width}
        self._deltas |= {letter.upper(): delta for letter, delta in self._deltas.items()}
        self._keyframes = [Position.start(level)]
        for number in range(KEYFRAME_EVERY, len(lurd) + 1, KEYFRAME_EVERY):
            self._keyframes.append(self._forward(self._keyframes[-1], number))

    def __len__(self) -> int:
        """The number of positions: one more than moves."""
        return len(self.lurd) + 1

    def __getitem__(self, number: int) -> Position:
        """The position after *number* moves. Raise IndexError beyond the last."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._forward(self._keyframes[number // KEYFRAME_EVERY], number)

    def __iter__(self) -> Iterator[Position]:
        return self.positions()

    def positions(self, start: int = 0) -> Iterator[Position]:
        """Yield the positions from the one after *start* moves on. A step costs O(1), a push O(boxes)."""
        position = self[start]
        yield position
        player, boxes = position.player, position.boxes
        for number, letter in enumerate(self.lurd[start:], start + 1):
            delta = self._deltas[letter]
            player += delta
            if letter.isupper():
                pushed = boxes.index(player)
                boxes = (*boxes[:pushed], player + delta, *boxes[pushed + 1 :])
            yield Position(number, player, boxes)

    def _forward(self, position: Position, number: int) -> Position:
        """The position after *number* moves, played from an earlier one."""
        deltas, player = self._deltas, position.player
        box_on = {cell: box for box, cell in enumerate(position.boxes)}
        for letter in self.lurd[position.number : number]:
            player += deltas[letter]
            if letter < "a":  # capitals come before small letters
                box_on[player + deltas[letter]] = box_on.pop(player)
        return Position(number, player, tuple(sorted(box_on, key=box_on.__getitem__)))
