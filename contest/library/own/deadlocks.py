"""The course of deadlocks: lost positions of the site's own levels, and which of their boxes are lost.

`deadlocks.json` is what `manage.py make_levels --deadlocks` found and the tutor of the puzzle library proved.
"""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from solvers.sokoban.level import Level

FILE = Path(__file__).with_name("deadlocks.json")


@dataclass(frozen=True)
class Exercise:
    """A position that its last push has lost.

    *boxes* are cells of the fewest boxes found that can never all get to goals, *reach* the cells to which these can
    still be pushed. *kind* is the check that finds them without a search (`solvers.sokoban.checks.deadlocks.Kind`), or
    closed if none does.
    """

    text: str
    kind: str
    boxes: tuple[int, ...]
    reach: tuple[int, ...]

    @cached_property
    def level(self) -> Level:
        return Level.parse(self.text)


@cache
def read() -> tuple[Exercise, ...]:
    """Return the exercises, easiest first."""
    return tuple(
        Exercise(row["text"], row["kind"], tuple(row["boxes"]), tuple(row["reach"]))
        for row in json.loads(FILE.read_text())
    )
