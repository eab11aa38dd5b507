import pytest

from solvers.sokoban import Moves
from solvers.sokoban.making import series
from solvers.sokoban.making.series import classic, ladder, rooms
from solvers.sokoban.replay import replay
from solvers.sokoban.solving.answers import Aim, Proof
from solvers.sokoban.solving.exact import prove_exactly
from tests import sizes

SMALL = [(classic, 4), (ladder, 4), (ladder, 5), (rooms, 1), (rooms, 2), (rooms, 3)]


@pytest.mark.parametrize("boxes", sizes.cases([4, 7, 12], range(4, 21)))
@pytest.mark.parametrize("crossed", [False, True])
def test_every_ladder_is_solved_in_the_moves_and_pushes_of_the_formulas(boxes, crossed):
    member = ladder(boxes, crossed=crossed)
    assert member.level == ladder(boxes).level
    assert (member.moves, member.pushes) == (series.ladder_moves(boxes) + 2 * crossed, series.ladder_pushes(boxes))
    assert_solved(member)


@pytest.mark.parametrize("boxes", sizes.cases([4, 8, 14], range(4, 25, 2)))
def test_every_even_classic_ladder_is_solved_in_the_moves_and_pushes_of_the_formulas(boxes):
    member = classic(boxes)
    assert member.level == series.classic_level(boxes)
    assert (member.moves, member.pushes) == (series.classic_moves(boxes), series.classic_pushes(boxes))
    assert_solved(member)


@pytest.mark.parametrize("boxes", sizes.cases([5], [7, 9]))
def test_a_classic_ladder_of_an_odd_number_is_proved_unsolvable(boxes):
    answer = prove_exactly(series.classic_level(boxes), Aim.PUSHES)
    assert answer.proof == Proof.EXHAUSTED


@pytest.mark.parametrize("number", sizes.cases([1, 2, 6], [*range(1, 11), 14]))
def test_nested_rooms_are_solved_in_the_moves_and_pushes_of_the_formulas(number):
    member = rooms(number)
    assert (member.moves, member.pushes) == (series.rooms_moves(number), series.rooms_pushes(number))
    assert_solved(member)


def assert_solved(member):
    result = replay(member.level, Moves.parse(member.solution))
    assert (result.verdict, result.moves, result.pushes, result.cut) == ("solved", member.moves, member.pushes, 0)
    assert not result.case_corrected


@pytest.mark.parametrize(
    ("make", "number"), sizes.cases(SMALL, [(classic, 6), (ladder, 6), *((rooms, at) for at in range(4, 9))])
)
def test_small_members_have_no_solution_of_fewer_moves_or_pushes(make, number):
    member = make(number)
    assert prove_exactly(member.level, Aim.PUSHES).pushes == member.pushes
    assert prove_exactly(member.level, Aim.MOVES).moves == member.moves
