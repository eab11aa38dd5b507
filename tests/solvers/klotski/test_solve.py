import pytest

from solvers.klotski import Goal, Layout, Mirror, solve
from solvers.klotski.errors import WithoutNames
from solvers.klotski.moves import layout_after, legal_moves
from tests import sizes
from tests.solvers.klotski.layouts import HENG_DAO_LI_MA, XIAO_BING_TAN_LU, some
from tests.solvers.klotski.oracle import board, distances

FEW = some(2, horizontals=5, seed=2)
PUBLISHED = [(Goal.MIRROR, 117, 239), (Goal.UPSIDE_DOWN, 262, 283), (Goal.ROTATED, 268, 282)]


@pytest.mark.parametrize(("goal", "by_kinds", "by_names"), sizes.cases(PUBLISHED[:1], PUBLISHED))
def test_the_hardest_mirror_questions_need_the_published_moves(goal, by_kinds, by_names):
    assert len(solve(XIAO_BING_TAN_LU, goal)) == by_kinds
    assert len(solve(XIAO_BING_TAN_LU, goal, is_strict=True)) == by_names


def test_an_unreachable_goal_has_no_solution():
    assert solve(HENG_DAO_LI_MA, Goal.UPSIDE_DOWN, is_strict=True) is None
    assert solve(HENG_DAO_LI_MA, XIAO_BING_TAN_LU) is None


@pytest.mark.parametrize("layout", sizes.cases(FEW[:1], FEW), ids=lambda layout: layout.cells)
def test_every_question_by_kinds_is_answered_like_the_slow_search(layout):
    slow = distances(board(layout, names=False))
    for mirror in Mirror:
        target = layout.reflect(mirror)
        expected = slow.get(board(target, names=False))
        ways = solve(layout, Goal(mirror.value)), solve(layout, target)
        assert [way if way is None else len(way) for way in ways] == [expected] * 2


@pytest.mark.parametrize("layout", some(4, seed=3), ids=lambda layout: layout.cells)
def test_strict_ways_are_as_short_as_the_slow_search_finds(layout):
    start = layout.with_names()
    walked = start
    for step in range(5):  # five moves, although the shortest way may be shorter
        moves = list(legal_moves(walked))
        walked = layout_after(walked, moves[(7 * step + 3) % len(moves)])
    slow = distances(board(start), most=5)[board(walked)]
    found = solve(start, walked, is_strict=True)
    assert len(found) == slow
    assert [*found.layouts()][-1] == walked


def test_a_strict_question_about_other_names_is_refused():
    with pytest.raises(WithoutNames):
        solve(HENG_DAO_LI_MA, HENG_DAO_LI_MA.reflect(Mirror.LEFT_RIGHT), is_strict=True)
    other = Layout.parse("aCCb aCCb cddg c12g 3..4")
    with pytest.raises(WithoutNames):
        solve(HENG_DAO_LI_MA.with_names(), other, is_strict=True)
