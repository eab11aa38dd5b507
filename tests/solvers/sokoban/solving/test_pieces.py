import random

import pytest

from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.answers import verify
from solvers.sokoban.solving.board import FAR, make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.floor.pushes import in_moves, pushes_of
from solvers.sokoban.solving.pieces import Course
from solvers.sokoban.solving.proving import open_list
from solvers.sokoban.solving.proving.best_first import search
from tests import sizes
from tests.solvers.sokoban.solving.full_search import cheapest, pulled_level
from tests.solvers.sokoban.solving.test_optimizing import wandering_solution


def course_of(level, lurd):
    return Course(make_board(level), verify(level, lurd))


def test_a_piece_begins_and_ends_where_the_solution_does():
    member = ladder(5)
    board, course = make_board(member.level), course_of(member.level, member.solution)
    assert len(course) == member.pushes
    whole = course.piece(0, len(course))
    assert (whole.moves, sorted(whole.board.goals)) == (member.moves, sorted(board.goals))
    assert not whole.ends.any()
    before, after = course.piece(0, 7), course.piece(7, len(course))
    assert sorted(before.board.goals) == sorted(after.board.boxes)
    # The walk in between belongs to both pieces: the first ends where the second starts to push.
    assert before.moves + after.moves - before.ends[after.board.player] == member.moves


def test_a_piece_ends_nowhere_from_where_its_solution_cannot_go_on():
    member = ladder(5)
    board, course = make_board(member.level), course_of(member.level, member.solution)
    piece = course.piece(0, 7)
    push, boxes = course.pushes[7], set(course.positions[7].tolist())
    stand = board.neighbours[push.box, push.direction ^ 2]
    assert piece.ends[stand] == 0
    assert all(piece.ends[box] == FAR for box in boxes)


def test_a_piece_that_changes_nothing_is_none():
    member = ladder(5)
    course = course_of(member.level, member.solution)
    assert course.piece(3, 3) is None


@pytest.mark.parametrize("kind", [open_list.MOVES_PUSHES, open_list.PUSHES_MOVES, open_list.PUSHES])
@pytest.mark.parametrize("seed", sizes.cases([1], range(4)))
def test_the_best_piece_counts_the_walk_that_follows(seed, kind):
    chance = random.Random(seed)
    for _ in range(10):
        level = pulled_level(chance, max_side=5, max_boxes=2)
        board = make_board(level)
        lurd = verify(level, wandering_solution(level, chance)).lurd
        # The same pushes with the shortest walks between them, so that no piece can improve other walks.
        course = course_of(level, in_moves(board, pushes_of(board, lurd)))
        first = chance.randrange(len(course))
        last = chance.randrange(first, len(course) + 1)
        if (piece := course.piece(first, last)) is None:
            continue
        found = search(piece.board, kind, Meter(Budget()), ends=piece.ends)
        new_pushes = pushes_of(piece.board, found.lurd)
        lurd = in_moves(board, course.pushes[:first] + new_pushes + course.pushes[last:])
        moves, pushes = fewest(level, board, course, first, last)
        if kind == open_list.MOVES_PUSHES:
            assert len(lurd) - (course.solution.moves - piece.moves) == moves, str(level)
        else:
            assert len(new_pushes) == pushes, str(level)


def fewest(level, board, course, first, last):
    """Return the fewest moves and the fewest pushes of a piece and the walk after it, by Dijkstra's search."""
    cells = board.cells.tolist()
    boxes = frozenset(cells[box] for box in course.positions[first])
    goals = frozenset(cells[box] for box in course.positions[last])
    start = cells[course.pushes[first - 1].box] if first else level.player
    stands = None
    if last < len(course):
        push = course.pushes[last]
        stands = {cells[board.neighbours[push.box, push.direction ^ 2]]}

    def is_home(state, _pushed):
        return state[1] == goals != boxes and (stands is None or state[0] in stands)

    prices = (lambda _: (1, 0), lambda pushed: (int(pushed), 0))
    return [cheapest(level, price, (start, boxes), is_home)[0] for price in prices]
