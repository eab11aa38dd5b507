"""State of a game after a given number of moves."""

from dataclasses import dataclass

from solvers.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class Position:
    """The player's cell and the cell of each box after *number* moves.

    Boxes keep their index: box 0 is the level's first box counted from the top left, wherever it has been pushed.
    """

    number: int
    player: int
    boxes: tuple[int, ...]

    @classmethod
    def start(cls, level: Level) -> "Position":
        """Return the position before the first move. Valid only for a level with exactly one player."""
        return cls(0, level.player, level.boxes)
