import random
from itertools import combinations

import pytest

from solvers.errors import BadLevel
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.checks.likeness import likeness
from solvers.sokoban.level import WALL
from solvers.sokoban.making.series import ladder
from solvers.sokoban.making.techniques import facts
from solvers.sokoban.solving.answers import Aim, Proof, Solved, Unknown, WrongSolution, verify
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Limit
from solvers.sokoban.solving.difficulty import Band
from solvers.sokoban.solving.exact import prove_exactly
from solvers.sokoban.solving.farthest import farthest_starts
from solvers.sokoban.solving.finding import NEAR_COPY, Quality, Theme, find_levels
from solvers.sokoban.solving.optimizing import optimize
from tests import sizes
from tests.solvers.sokoban.solving.full_search import best, pulled_level, small_level, steps
from tests.solvers.sokoban.solving.small_boards import assert_proved, placed

ROOM = "########|#@-#---#|#--#-#-#|#------#|#-#--**#|########"


@pytest.mark.parametrize("seed", sizes.cases([100], range(101, 120)))
def test_optimal_and_unsolvable_agree_with_full_search(seed):
    chance = random.Random(seed)
    for _ in range(150):
        assert_proved(small_level(chance))


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("#######|#@$.#.#|###$###|#######", Proof.OUT_OF_REACH),
        ("#####|#$--#|#-@.#|#####", Proof.EXHAUSTED),
        ("#####|#@*-#|#####", Proof.EXHAUSTED),
        ("########|#@-#--#|#--#*-#|########", Proof.OUT_OF_REACH),
    ],
)
def test_an_unsolvable_level_is_proved_unsolvable(text, proof):
    assert prove_exactly(Level.parse(text)).proof is proof


def test_a_level_that_no_replay_judges_is_refused():
    with pytest.raises(BadLevel):
        prove_exactly(Level.parse("######|#@$-*#|######"))


def test_a_level_solved_at_the_start_needs_a_push_away_and_back():
    level = Level.parse("#######|#--*@-#|#-----#|#######")
    answer = prove_exactly(level)
    assert (answer.pushes, replay(level, Moves.parse(answer.lurd)).is_solved) == (2, True)


@pytest.mark.parametrize("aim", [Aim.PUSHES, Aim.MOVES])
def test_a_search_ends_at_its_nodes_with_a_bound_no_solution_stays_below(aim):
    answer = prove_exactly(ladder(7).level, aim, Budget(nodes=1_000))
    assert (answer.limit, answer.best) == (Limit.NODES, None)
    assert 0 < answer.lower_bound_pushes <= 102
    assert 0 < answer.lower_bound_moves <= 306


@pytest.mark.parametrize("budget", [{"megabytes": 1}, {"cpu_seconds": 0}])
def test_a_search_ends_at_its_memory_or_time(budget):
    assert prove_exactly(ladder(9).level, budget=Budget(**budget)).limit == next(iter(budget))


def test_a_search_is_cancelled_between_batches_and_reports_progress():
    reports = []
    answer = prove_exactly(ladder(14).level, report=reports.append, cancelled=lambda: len(reports) >= 2)
    assert answer.limit is Limit.CANCELLED
    assert reports[-1].nodes > 0
    assert reports[-1].bound >= reports[0].bound > 0


def test_a_known_solution_is_returned_if_the_search_ends_early_and_proved_if_it_is_best():
    known = verify(ladder(6).level, ladder(6).solution)
    early = prove_exactly(ladder(6).level, Aim.MOVES, Budget(nodes=100), known=known)
    assert isinstance(early, Unknown)
    assert early.best == known
    done = prove_exactly(ladder(6).level, Aim.MOVES, known=known)
    assert isinstance(done, Solved)
    assert (done.lurd, done.proven) == (known.lurd, Aim.MOVES)


def test_fewest_pushes_stay_proved_if_the_search_for_fewer_moves_ends_early():
    full = prove_exactly(ladder(6).level)
    answer = prove_exactly(ladder(6).level, budget=Budget(nodes=full.nodes * 2 // 3))
    assert (answer.pushes, answer.proven) == (60, Aim.PUSHES)


def wandering_solution(level, chance):
    """Return a solution with many unnecessary steps: wander, then follow the shortest way found breadth-first."""
    state, wandered, solution = (level.player, frozenset(level.boxes)), "", ""
    for _ in range(30):
        solution = wandered + way if (way := shortest(level, state)) else solution
        after = chance.choice(list(steps(level, *state)))[0]
        wandered += letters_of(level)[after[0] - state[0]]
        state = after
    return solution


def letters_of(level):
    return {-1: "l", 1: "r", -level.width: "u", level.width: "d"}


def shortest(level, start):
    goals, letters = frozenset(level.goals), letters_of(level)
    ways, todo = {start: ""}, [start]
    for state in todo:
        for after, pushed in steps(level, *state):
            way = ways[state] + letters[after[0] - state[0]]
            if pushed and after[1] == goals:
                return way
            if after not in ways:
                ways[after] = way
                todo.append(after)
    return None


@pytest.mark.parametrize("aim", [Aim.PUSHES, Aim.MOVES])
@pytest.mark.parametrize("seed", sizes.cases([0, 1], range(6)))
def test_a_small_level_is_improved_to_the_optimum(seed, aim):
    chance = random.Random(seed)
    for _ in range(4):
        level = pulled_level(chance, max_side=5, max_boxes=2)
        answer = optimize(level, wandering_solution(level, chance), aim, Budget())
        truth = best(level)
        if aim is Aim.PUSHES:
            assert (answer.pushes, answer.moves) == truth.pushes_then_moves, str(level)
        else:
            assert (answer.moves, answer.pushes) == truth.moves_then_pushes, str(level)


@pytest.mark.parametrize("aim", [Aim.PUSHES, Aim.MOVES])
def test_it_is_never_worse_and_always_replayed_however_little_it_may_spend(aim):
    member = ladder(8)
    answer = optimize(member.level, member.solution, aim, Budget(cpu_seconds=0.01))
    assert (answer.moves, answer.pushes) <= (member.moves, member.pushes)
    assert replay(member.level, Moves.parse(answer.lurd)).is_solved


def test_moves_that_are_no_solution_are_refused():
    with pytest.raises(WrongSolution):
        optimize(ladder(4).level, "rdr")


def test_it_stops_when_cancelled():
    member = ladder(7)
    answer = optimize(member.level, member.solution, budget=Budget(), cancelled=lambda: True)
    assert answer.pushes == member.pushes


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
    aim = Aim.MOVES if wanted == Quality.MOVES else Aim.PUSHES
    for level in found:
        assert not level.level.problems
        assert getattr(prove_exactly(level.level, aim), aim) == getattr(level.solution, aim)
    for one, other in combinations(found, 2):
        assert likeness(one.level, other.level) < NEAR_COPY


@pytest.mark.parametrize("theme", sizes.cases([Theme.PARKING], Theme))
def test_only_levels_of_the_band_that_need_the_theme_are_found(theme):
    found = find_levels(3, width=5, height=5, boards=30, most=6, band=Band.EASY, theme=theme)
    assert found
    assert not find_levels(2, width=4, height=3, boards=5, band=Band.EXPERT)
    for level in found:
        assert level.difficulty.band == Band.EASY
        proved = facts(level.level)
        needs = {"parking": proved.needs_parking, "order": proved.needs_order, "corral": proved.needs_corral}
        assert needs.get(theme, level.solution.pushes > proved.direct)


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
