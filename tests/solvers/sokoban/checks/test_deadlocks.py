from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solvers.sokoban import Level, Moves
from solvers.sokoban.checks.bounds import least_pushes
from solvers.sokoban.checks.deadlocks import Kind, dead_squares, deadlock, frozen_boxes, unmatched_boxes
from solvers.sokoban.checks.gate import faults, gives_away
from solvers.sokoban.level import WALL
from tests.solvers.sokoban.boards import levels
from tests.solvers.sokoban.solving.full_search import is_solvable

LONG = Moves.parse("rrrrrrrrdlLLLLLL")
TEXTS = {"go rrrrrrrr now": True, "go rrrr rrrd now": True, "rrrrrrr": False, "a dull word": False}


@pytest.mark.parametrize(
    ("board", "find", "kind"),
    [
        ("######|#.--.#|#-$$-#|#-$$@#|#.--.#|######", frozen_boxes, Kind.FROZEN),
        ("########|#-$.$@-#|########|#-----.#|########", unmatched_boxes, Kind.UNMATCHED),
    ],
)
def test_a_deadlock_is_named_with_its_boxes(board, find, kind):
    level = Level.parse(board)
    assert find(level, level.boxes) == set(level.boxes)
    assert deadlock(level, level.boxes).kind is kind


def test_a_box_frozen_on_a_goal_keeps_it():
    level = Level.parse("########|#*--.--#|#-$-@--#|#------#|########")
    assert unmatched_boxes(level, level.boxes) == frozenset()
    assert unmatched_boxes(level, [9, 18, 19]) != frozenset()


@given(levels(max_side=4, max_boxes=3), st.data())
def test_every_reported_deadlock_is_real(level, data):
    floor = [cell for cell, content in enumerate(level.cells) if not content & WALL]
    boxes = data.draw(st.permutations(floor))[: len(level.boxes)]
    assume(deadlock(level, boxes) or dead_squares(level) & set(boxes))
    reached = [cell for cell in level.reach if cell not in boxes]
    assert not any(is_solvable(level, player, boxes) for player in reached)


def test_a_board_full_of_boxes_is_matched_in_time():
    rows = ["#" * 52, *["#" + "$" * 25 + "." * 25 + "#"] * 49, "#" + "-" * 49 + "@#", "#" * 52]
    level = Level.parse("\n".join(rows))
    assert deadlock(level, level.boxes) is not None


def codes(board="#####|#@$.#|#####", solution="r", **texts):
    texts = {"title": "One", "author": "Somebody", **texts}
    found = faults(Level.parse(board), Moves.parse(solution) if solution is not None else None, **texts)
    return [problem.code.value for problem in found.errors], [problem.code.value for problem in found.warnings]


@pytest.mark.parametrize(
    ("solution", "errors"), [("r", []), (None, ["no_solution"]), ("", ["no_solution"]), ("l", ["solution_fails"])]
)
def test_the_organisers_solution_must_solve(solution, errors):
    """Faults of boards are in gate.json."""
    assert codes(solution=solution) == (errors, [])


@pytest.mark.parametrize(
    ("title", "errors", "warnings"),
    [
        (" ", [], ["text_empty"]),
        ("a\u2028b", ["text_lines"], []),
        ("a" * 201, ["text_long"], []),
        ("a|b", [], ["text_bar"]),
    ],
)
def test_titles_and_authors_are_one_printable_line(title, errors, warnings):
    assert codes(title=title) == (errors, warnings)
    assert codes(author=title) == (errors, warnings)


@pytest.mark.parametrize(("text", "leaks"), TEXTS.items())
def test_a_text_with_eight_steps_of_the_solution_gives_it_away(text, leaks):
    assert gives_away(text, LONG) == leaks
    assert ("leak" in codes("#####|#@$.#|#####", "r" * 9, texts=[text])[0]) == (leaks and "rrrrrrrr" in text)


def alone(level, box, goal):
    """Return the fewest pushes from *box* to *goal* without other boxes; the player may start anywhere in reach."""
    layer, seen, pushes = {box}, {box}, 0
    while layer and goal not in layer:
        beside = [(cell, other) for cell in layer for other in level.neighbours(cell)]
        layer = {
            other
            for cell, other in beside
            if other in level.reach and 2 * cell - other in set(level.neighbours(cell)) & level.reach
        } - seen
        seen |= layer
        pushes += 1
    return pushes if layer else None


@given(levels(max_side=6, max_boxes=5))
def test_the_bound_is_the_cheapest_of_all_ways_to_share_out_the_goals(level):
    """Over all assignments of boxes to goals, each box alone on the board."""
    shares = (
        [alone(level, box, goal) for box, goal in zip(level.boxes, goals, strict=True)]
        for goals in permutations(level.goals)
    )
    assert least_pushes(level) == min((sum(share) for share in shares if None not in share), default=None)
