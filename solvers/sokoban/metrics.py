"""What can be counted on a solution besides moves and pushes (docs/formats.md, *Moves*)."""

from dataclasses import dataclass

# Rows far enough apart that no walk on a board is long enough to mix them up.
_ROW = 1 << 20
_DELTAS = {"l": -1, "u": -_ROW, "r": 1, "d": _ROW, "L": -1, "U": -_ROW, "R": 1, "D": _ROW}


@dataclass(frozen=True)
class Metrics:
    """Those numbers. Its text is the heading that JSoko and others give a solution."""

    moves: int
    pushes: int
    box_lines: int
    box_changes: int
    push_runs: int
    player_lines: int

    def __str__(self) -> str:
        return f"{self.moves}/{self.pushes}/{self.box_lines}/{self.box_changes}/{self.push_runs}"


def measure(lurd: str) -> Metrics:
    """Count the metrics of *lurd*, the `lurd` of a `Replay`: its capitals must stand exactly at the pushes.

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
    """How many runs of *letters* there are: each begins after another letter, or at the start."""
    marked = " " + lurd.translate({ord(letter): "#" if letter in letters else " " for letter in "lurdLURD"})
    return marked.count(" #")


def _box_changes(lurd: str) -> int:
    """Pushes of another box than the push before; the level is not needed, only where the last box was left."""
    changes = player = 0
    left_at = None
    for letter in lurd:
        player += _DELTAS[letter]
        if letter < "a":  # capitals come before small letters
            changes += player != left_at
            left_at = player + _DELTAS[letter]
    return changes
