"""Response texts and keys in the exact form that letslogic programs expect."""

from dataclasses import dataclass
from typing import Any

from contest.models import CollectedLevel, Level
from solvers.sokoban.formats import letslogic

NO_KEY = "Invalid key"
NO_LEVEL = "Specified level does not exist"
WRONG = "Invalid Solution"

# Blue (by moves) and green (by pushes): rank, points, moves, pushes. Points are the rank counted from the end.
Bests = tuple[dict[str, int] | None, dict[str, int] | None]
NO_BEST: Bests = (None, None)


class NotAccepted(Exception):
    """The solution is not accepted; the message says why."""


@dataclass(frozen=True)
class SolvedLevel:
    """An accepted solution: its counts, and the player's bests before and after it."""

    moves: int
    pushes: int
    before: Bests
    after: Bests

    def show(self) -> dict[str, Any]:
        """Return the response, with both bests even if the player is in no ranking: the programs need them."""
        gained = "Well done! " if self.before != self.after else "But you have not improved. "
        sentence = f"You have completed this puzzle in {self.moves} move(s) and {self.pushes} pushe(s)."
        unranked = {"rank": 0, "points": 0, "moves": self.moves, "pushes": self.pushes}
        blue, green = self.after
        return {"result": gained + sentence, "blue": blue or unranked, "green": green or unranked}


def level_of(number: int, level: Level | CollectedLevel, own: Bests) -> dict[str, Any]:
    """Return a level with the player's *own* best by both metrics, null if there is none."""
    blue, green = own
    return {
        "id": number,
        "height": level.height,
        "width": level.width,
        "title": level.title or str(level),
        "author": level.author or None,
        "map": letslogic.write(level.board),
        "blue_moves": blue and blue["moves"],
        "blue_pushes": blue and blue["pushes"],
        "green_moves": green and green["moves"],
        "green_pushes": green and green["pushes"],
    }
