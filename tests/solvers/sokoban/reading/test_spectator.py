from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.level import BOX, GOAL
from solvers.sokoban.playback import Playback
from solvers.sokoban.reading.spectator import spectator_answer
from tests.solvers.sokoban.boards import levels

TWO = "#######|#@$.$.#|#######"


def answer(text, *boards):
    return spectator_answer([Level.parse(board) for board in boards], [Moves.parse(text)])


def test_the_levels_are_tried_in_their_order_and_what_is_possible_to_the_end_goes_first():
    """Rules 13.3, 13.4."""
    assert answer("R", TWO, TWO).level == 0
    # On the first level the last step is impossible.
    found = answer("Rlll", TWO, "#########|#--@$.$.#|#########")
    assert (found.level, found.is_whole) == (1, True)


def test_a_later_impossible_step_is_reported():
    found = answer("Ru", TWO)
    assert (found.is_whole, found.lurd, found.cut) == (False, "R", 1)


@given(levels(max_boxes=3), st.text("lurd", max_size=40))
def test_the_cut_is_where_an_obvious_count_finds_it(level, steps):
    """Rules 13.2, 13.3."""
    outcome = replay(level, Moves.parse(steps))
    found = spectator_answer([level], [Moves.parse(steps)])
    goals = {cell for cell, content in enumerate(level.cells) if content & GOAL}
    boxes = sum(1 for content in level.cells if content & BOX)
    if outcome.is_solved:
        return
    pushed = (position for position in Playback(level, outcome.lurd) if not outcome.lurd[: position.number].islower())
    home = (at.number for at in pushed if at.number and len(goals & set(at.boxes)) >= boxes - 1)
    assert (found.moves if found else None) == (next(home, None) if boxes >= 2 else None)
