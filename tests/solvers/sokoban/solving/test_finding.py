import pytest

from solvers.sokoban import Level
from solvers.sokoban.level import WALL
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.exact import prove_exactly
from solvers.sokoban.solving.farthest import farthest_starts
from solvers.sokoban.solving.finding import Quality, find_levels
from tests import sizes
from tests.solvers.sokoban.solving.full_search import best
from tests.solvers.sokoban.solving.small_boards import placed

ROOM = "########|#@-#---#|#--#-#-#|#------#|#-#--**#|########"


@pytest.mark.parametrize("boxes", ["**", "*-"])
def test_the_farthest_starts_need_the_pushes_found_by_full_search(boxes):
    level = Level.parse(ROOM.replace("**", boxes))
    board = make_board(level)
    starts = farthest_starts(board, 100_000, 100_000)
    assert len(starts) >= 8
    assert starts[0].pushes == max(start.pushes for start in starts)
    for start in starts[:: max(len(starts) // 10, 1)]:
        if start.pushes:
            moved = placed(level, board.cells[list(start.boxes)], board.cells[start.player])
            assert best(moved).pushes_then_moves[0] == start.pushes


@pytest.mark.parametrize("wanted", sizes.cases([Quality.CHANGES], Quality))
def test_levels_are_found_ranked_proved_and_no_two_are_the_same(wanted):
    found = find_levels(2, width=5, height=4, boards=15, most=4, quality=wanted)
    assert len(found) == 4
    assert len({level.level.key for level in found}) == 4
    assert [level.worth(wanted) for level in found] == sorted((level.worth(wanted) for level in found), reverse=True)
    for level in found:
        assert not level.level.problems
        assert prove_exactly(level.level).pushes == level.solution.pushes


def test_the_same_seed_finds_the_same_levels_and_another_one_others():
    def texts(seed):
        return [str(found.level) for found in find_levels(2, width=5, height=4, boards=15, seed=seed)]

    assert texts(3) == texts(3) != texts(4)


def test_given_walls_are_unchanged():
    walls = Level.parse(ROOM)
    for found in find_levels(2, walls=walls, boards=10, most=3):
        assert bytes(cell & WALL for cell in found.level.cells) == bytes(cell & WALL for cell in walls.cells)


def test_no_room_is_an_error_and_a_cancelled_search_returns_its_levels():
    with pytest.raises(ValueError, match="no room for 9 boxes"):
        find_levels(9, width=2, height=2)
    reports = []
    find_levels(2, boards=100, report=lambda done, best: reports.append(done), cancelled=lambda: len(reports) == 3)
    assert reports == [1, 2, 3]


@pytest.mark.parametrize(
    "budget",
    sizes.cases([Budget(cpu_seconds=0.001), Budget(nodes=2_000, megabytes=0)], [Budget(nodes=2_000)]),
    ids=repr,
)
def test_a_budget_ends_the_search_early_with_the_levels_so_far(budget):
    reports = []
    found = find_levels(1, width=4, height=3, boards=1_000, budget=budget, report=lambda done, _: reports.append(done))
    assert len(reports) < 1_000
    assert all(level.solution.proven for level in found)
