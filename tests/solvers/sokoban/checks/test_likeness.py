from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.checks.likeness import likeness
from solvers.sokoban.level import BOX, GOAL

ROWS = st.lists(st.text("##-  $.*", min_size=1, max_size=4), min_size=1, max_size=3)


def board(rows: list[str]) -> Level:
    width = max(map(len, rows))
    inside = [f"#{row.ljust(width)}#" for row in rows]
    inside[0] = f"#@{inside[0][2:]}"
    return Level.parse("\n".join(["#" * (width + 2), *inside, "#" * (width + 2)]))


def by_sets(one: Level, other: Level) -> float:
    """Return the same from sets of marks, for every symmetry and shift."""

    def marks(level: Level) -> set[tuple[int, int, str]]:
        return {
            (row, column, name)
            for row, column, have in ((*divmod(cell, level.width), level.cells[cell]) for cell in level.reach)
            for name, what in (("floor", None), ("goal", GOAL), ("box", BOX))
            if what is None or have & what
        }

    other_marks, best = marks(other), 0
    for symmetry, down, right in product(range(8), range(-4, 5), range(-4, 5)):
        own = {(row + down, column + right, name) for row, column, name in marks(one.transform(symmetry))}
        best = max(best, len(own & other_marks))
    return 2 * best / (len(marks(one)) + len(other_marks))


@settings(max_examples=settings.default.max_examples // 4)
@given(ROWS)
def test_likeness_equals_a_comparison_of_sets(rows):
    """For boards of this size, every best shift is among those that are tried."""
    level = board(rows)
    changed = board([row.replace("$", "-", 1) for row in rows])
    assert likeness(level, changed) == likeness(changed, level) == pytest.approx(by_sets(level, changed))
