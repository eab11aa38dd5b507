"""Solution metrics besides moves and pushes (docs/reference/formats.md, *Moves*)."""

from dataclasses import dataclass

# Row offset so large that no walk on a board can reach another row by horizontal steps.
_ROW = 1 << 20
_DELTAS = {"l": -1, "u": -_ROW, "r": 1, "d": _ROW, "L": -1, "U": -_ROW, "R": 1, "D": _ROW}


@dataclass(frozen=True)
class Metrics:
    """Metrics of one solution. `str()` gives the heading that JSoko and other programs write above a solution."""

    moves: int
    pushes: int
    box_lines: int
    box_changes: int
    push_runs: int
    player_lines: int

    def __str__(self) -> str:
        return f"{self.moves}/{self.pushes}/{self.box_lines}/{self.box_changes}/{self.push_runs}"


def measure(lurd: str) -> Metrics:
    """Compute the metrics of *lurd*, the `lurd` of a `Replay`: its capitals must be exactly the pushes.

    >>> measure("dlUrrrdLullddrUluRuulDrddrruLdlUU")
    Metrics(moves=33, pushes=8, box_lines=7, box_changes=4, push_runs=7, player_lines=25)

    Time O(moves).
    """
    return Metrics(
        moves=len(lurd),
        pushes=sum(map(lurd.count, "LURD")),
        box_lines=sum(_runs(lurd, side) for side in "LURD"),
        box_changes=_box_changes(lurd),
        push_runs=_runs(lurd, "LURD"),
        player_lines=sum(_runs(lurd.lower(), side) for side in "lurd"),
    )


def _runs(lurd: str, letters: str) -> int:
    """Count the runs of *letters*. A run begins at the start or after a letter that is not in *letters*."""
    marked = " " + lurd.translate({ord(letter): "#" if letter in letters else " " for letter in "lurdLURD"})
    return marked.count(" #")


def _box_changes(lurd: str) -> int:
    """Count pushes of a different box than the previous push. Needs no level, only the last pushed box's position."""
    changes = player = 0
    left_at = None
    for letter in lurd:
        player += _DELTAS[letter]
        if letter < "a":  # upper case sorts before lower case
            changes += player != left_at
            left_at = player + _DELTAS[letter]
    return changes
