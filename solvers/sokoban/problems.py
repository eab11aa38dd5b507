"""Faults of a level: a code, its numbers and its cells (docs/reference/formats.md, *The gate*)."""

from dataclasses import dataclass, field
from enum import StrEnum


class Fault(StrEnum):
    """Possible faults of a level. Parsing never rejects them: each caller decides which it refuses."""

    PLAYERS = "players"
    NO_BOXES = "no_boxes"
    BOXES_GOALS = "boxes_goals"
    OPEN = "open"
    UNREACHABLE_BOX = "unreachable_box"
    UNREACHABLE_GOAL = "unreachable_goal"
    SOLVED_AT_START = "solved_at_start"
    # Found only by the gate for published rounds: see gate.py
    SIZE = "size"
    REACH_BOXES_GOALS = "reach_boxes_goals"
    LOST_BOX = "lost_box"
    CORNER_BOX = "corner_box"
    NO_SOLUTION = "no_solution"
    SOLUTION_FAILS = "solution_fails"
    TEXT_EMPTY = "text_empty"
    TEXT_LINES = "text_lines"
    TEXT_UNPRINTABLE = "text_unprintable"
    TEXT_LONG = "text_long"
    TEXT_BAR = "text_bar"
    LEAK = "leak"


_SHOWN_AS_NUMBERS = frozenset({Fault.PLAYERS, Fault.BOXES_GOALS})


@dataclass(frozen=True)
class Problem:
    """One fault of a level, the numbers for its message, and the affected cells."""

    code: Fault
    values: dict[str, int | str] = field(default_factory=dict, hash=False)
    cells: tuple[int, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        """Return the text that the commands print.

        >>> str(Problem(Fault.BOXES_GOALS, {"boxes": 4, "goals": 3}))
        'boxes=4 goals=3'
        """
        values = " ".join(f"{name}={value}" for name, value in self.values.items())
        return values if self.code in _SHOWN_AS_NUMBERS else f"{self.code.replace('_', ' ')} {values}".rstrip()
