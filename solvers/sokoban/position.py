"""One moment of a game."""

from dataclasses import dataclass

from solvers.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class Position:
    """Where everything stands after *number* moves: the cell of the player, and of each box.

    Boxes keep their places in the row: box 0 is the first of the level from the top left, wherever it has gone.
    """

    number: int
    player: int
    boxes: tuple[int, ...]

    @classmethod
    def start(cls, level: Level) -> "Position":
        """The position before the first move. Only for a level with exactly one player."""
        return cls(0, level.player, level.boxes)
