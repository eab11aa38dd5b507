"""Near copies of a level are recognised in every orientation, and other levels are not taken for copies."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.sokoban import Level
from solvers.sokoban.checks.likeness import likeness
from solvers.sokoban.checks.resemblance import is_copy, resembles
from solvers.sokoban.level import BOX, GOAL

ROWS = [
    "############",
    "#@---#-----#",
    "#-$$-#-#-#-#",
    "#-#--$---#-#",
    "#-#-##-##.-#",
    "#---$-.#-.-#",
    "###-#----.##",
    "#----##--.-#",
    "############",
]
WALLS = ["#" * 12]
LEVEL = Level.parse("\n".join(ROWS))
OTHER = Level.parse("#########|#--###--#|#-$-.-#-#|##-#-#$-#|#-.-@---#|#--#.##-#|##-$----#|#########")
DRAWINGS = st.lists(st.text("##-  $.*", min_size=1, max_size=4), min_size=1, max_size=3)


def edited(*changes: tuple[int, int, str], rows: list[str] = ROWS) -> list[str]:
    edited_rows = list(rows)
    for row, column, glyphs in changes:
        line = edited_rows[row]
        edited_rows[row] = line[:column] + glyphs + line[column + len(glyphs) :]
    return edited_rows


CHANGED = edited((5, 6, "-"), (5, 5, "."), (2, 6, "-"), (2, 8, "-"), (4, 4, "--"))
COPIES = {
    "dead cell": [*edited((8, 10, "-")), *WALLS],
    "sealed room": [f"{row}{room}" for row, room in zip(ROWS, ["####", *["---#"] * 7, "####"], strict=True)],
    "border": [*WALLS, *WALLS, *ROWS, "#----------#", *WALLS],
    "dead-end corridor": [*edited((8, 5, "-")), "####--######", *WALLS],
    "frozen box": [*edited((8, 8, "*")), *WALLS],
    "player moved": edited((1, 1, "-"), (5, 1, "@")),
}
RESEMBLING = {
    "wall removed": edited((4, 5, "-")),
    "goal moved": edited((5, 6, "-"), (5, 5, ".")),
    "box and goal removed": edited((2, 2, "-"), (6, 9, "-")),
    "all goals moved": edited((5, 6, "-"), (4, 9, "-"), (5, 9, "-"), (1, 6, "..")),
    "unsolvable": edited((1, 1, "$"), (2, 2, "-"), (3, 3, "@")),
    "half": [f"{row[:7]}#" for row in ROWS],
    "row and column doubled": [row[:8] + row[7:] for row in (*ROWS[:4], *ROWS[3:])],
    "a box with a corridor": [*edited((8, 3, "-")), "###$########", "###.########", *WALLS],
    "frozen boxes as border, a goal moved, walls removed": [
        "#" * 14,
        *(f"#{row}#" for row in ["*" * 12, *(f"*{row[1:-1]}*" for row in CHANGED[1:-1]), "*" * 12]),
        "#" * 14,
    ],
    "dead cells dug in all walls, a goal moved, walls removed": [
        *("##############", "##----#-----##", "#-@---#------#", "#--$$-#-#-#--#", "#--#--$---#--#", "#--#----##.--#"),
        *("#----$.-#-.--#", "####-#----.###", "#-----##--.--#", "##----##----##", "##############"),
    ],
    "boxes on goals as border, with floor behind them, a goal moved, walls removed": [
        *("#" * 16, f"#{'-' * 14}#", f"#-{'*' * 12}-#"),
        *(f"#-*{row[1:-1]}*-#" for row in CHANGED[1:-1]),
        *(f"#-{'*' * 12}-#", f"#{'-' * 14}#", "#" * 16),
    ],
    "alcoves with boxes and goals, a goal moved, walls removed": [
        *("#" * 14, "##.#.#.#.#.###", "##$#$#$#$#$###"),
        *(f"{left}{row[1:-1]}{left[::-1]}" for left, row in zip([".$", "##"] * 4, CHANGED[1:-1], strict=False)),
        *("##$#$#$#$#$###", "##.#.#.#.#.###", "#" * 14),
    ],
    "two levels in one board": [
        row + other
        for row, other in zip(
            edited((3, 11, "-")), ["#####", "#---#", "-$--#", "----#", "--.-#", *["#####"] * 4], strict=True
        )
    ],
}


@pytest.mark.parametrize("rows", COPIES.values(), ids=COPIES)
def test_useless_cells_make_no_other_level(rows):
    for symmetry in range(8):
        assert is_copy(Level.parse("\n".join(rows)).transform(symmetry), LEVEL)


@pytest.mark.parametrize("rows", RESEMBLING.values(), ids=RESEMBLING)
def test_an_altered_level_resembles_the_level(rows):
    board = Level.parse("\n".join(rows))
    assert not is_copy(board, LEVEL)
    for symmetry in range(8):
        assert resembles(board.transform(symmetry), LEVEL)


def test_another_level_is_no_copy_and_does_not_resemble_it():
    for one, other in ((LEVEL, OTHER), (OTHER, LEVEL)):
        assert not is_copy(one, other)
        assert not resembles(one, other)


def test_a_small_level_is_not_found_in_every_board():
    corridor = Level.parse("######|#@-$.#|######")
    assert is_copy(corridor, corridor)
    assert not resembles(LEVEL, corridor)


@pytest.mark.parametrize("symmetry", range(8))
def test_a_part_of_a_small_level_behind_a_straight_wall_resembles_it(symmetry):
    level = Level.parse("-######|##----#|#-$-#.#|#-#$--#|#-#.$-#|#@--#-#|##---.#|-######")
    part = Level.parse("#######|##----#|#-$-#.#|#@#---#|#-#.$-#|#######")
    assert resembles(part.transform(symmetry), level)


def test_a_board_without_player_or_floor_is_like_nothing():
    for text in ("#####|#-$.#|#####", "#"):
        assert not is_copy(Level.parse(text), LEVEL)
        assert not resembles(Level.parse(text), LEVEL)
    assert not resembles(LEVEL, Level.parse("#####|#-$.#|#####"))


def test_a_level_in_a_large_board_resembles_it_but_the_board_has_no_core():
    wide = [row.ljust(150, "-") for row in ROWS[:-1]]
    wide = ["#" * 151, *(f"{row}#" for row in edited((3, 11, "-"), rows=wide)), *["-" * 150 + "#"] * 40, "#" * 151]
    board = Level.parse("\n".join(wide))
    assert resembles(board, LEVEL)
    assert not is_copy(board, LEVEL)
    assert not is_copy(board, board)


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
@given(DRAWINGS)
def test_likeness_equals_a_comparison_of_sets(rows):
    """For boards of this size, every best shift is among those that are tried."""
    level = board(rows)
    changed = board([row.replace("$", "-", 1) for row in rows])
    assert likeness(level, changed) == likeness(changed, level) == pytest.approx(by_sets(level, changed))
