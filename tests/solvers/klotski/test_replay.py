import pytest

from solvers.klotski import Goal, Layout, question, replay, solve
from solvers.klotski.errors import UnreadableMove
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA

ALMOST = Layout.parse("VHHV VooV VCCV VCCV o..o")


def test_the_answer_is_counted_and_what_follows_is_cut():
    result = replay(question(ALMOST), "C3d B2d B3d")
    assert (result.verdict, result.moves, result.cut) == ("solved", 1, 2)


def test_an_impossible_move_is_a_verdict_with_its_place():
    result = replay(question(HENG_DAO_LI_MA), "B4d; A1d; A5r")
    assert (result.verdict, result.moves, result.step, result.index, result.why) == ("illegal", 1, 2, 5, "blocked")
    assert replay(question(HENG_DAO_LI_MA), "B5u").why == "no_piece"


def test_moves_that_stop_short_are_not_solved():
    result = replay(question(HENG_DAO_LI_MA), "B4d B5u")
    assert (result.verdict, result.moves, result.layouts[-1]) == ("unsolved", 2, HENG_DAO_LI_MA)


def test_a_board_that_is_at_its_goal_is_solved_without_a_move():
    assert replay(question(HENG_DAO_LI_MA, Goal.MIRROR), "").is_solved


def test_an_unreadable_text_is_refused():
    with pytest.raises(UnreadableMove):
        replay(question(HENG_DAO_LI_MA), "B4d down")


def test_a_solution_is_replayed_from_its_text():
    assert replay(question(HENG_DAO_LI_MA), str(solve(HENG_DAO_LI_MA))).moves == 81
