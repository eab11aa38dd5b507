"""Random access to the positions of a long solution, and iteration in order, for pictures and players.

The solution must come from a replay: its letters are trusted, including capitals at the pushes.
"""

from collections.abc import Iterator

from solvers.sokoban.level import Level
from solvers.sokoban.position import Position

KEYFRAME_EVERY = 2_000


class Playback:
    """Positions of a solution: `playback[n]` is the position after n moves; iteration yields all in order.

    >>> level = Level.parse("######|#@$-.#|######")
    >>> playback = Playback(level, "RR")
    >>> playback[1]
    Position(number=1, player=8, boxes=(9,))
    >>> [position.player for position in playback]
    [7, 8, 9]

    *lurd* is the `lurd` of a `Replay` on the level. The constructor plays it once and stores every 2,000th position,
    so that access to any position costs at most 2,000 steps. Time O(moves), memory O(moves / 2,000 * boxes).
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
        """Return the number of positions: moves + 1."""
        return len(self.lurd) + 1

    def __getitem__(self, number: int) -> Position:
        """Return the position after *number* moves. Raise IndexError if out of range."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._forward(self._keyframes[number // KEYFRAME_EVERY], number)

    def __iter__(self) -> Iterator[Position]:
        return self.positions()

    def positions(self, start: int = 0) -> Iterator[Position]:
        """Yield positions, beginning with the one after *start* moves. Time O(1) per step, O(boxes) per push."""
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
        """Return the position after *number* moves, played from the earlier *position*."""
        deltas, player = self._deltas, position.player
        box_on = {cell: box for box, cell in enumerate(position.boxes)}
        for letter in self.lurd[position.number : number]:
            player += deltas[letter]
            if letter < "a":  # upper case sorts before lower case
                box_on[player + deltas[letter]] = box_on.pop(player)
        return Position(number, player, tuple(sorted(box_on, key=box_on.__getitem__)))
