"""Series of levels with exponentially long solutions."""

from itertools import pairwise

import pytest

from solvers.errors import NoSuchMember
from solvers.sokoban.making.series import (
    LADDERS,
    ROOMS,
    ladder,
    ladder_moves,
    ladder_pushes,
    rooms,
    rooms_moves,
    rooms_pushes,
)
from solvers.sokoban.moves import Moves
from solvers.sokoban.replay import replay
from tests.solvers.sokoban.shortest import fewest_moves, fewest_pushes

# The only member players passed on as text, with two solutions of 306 and 308 moves.
SEVEN = (
    "ldDDRUldDDRUdddlUluRurrrddLLUdrruulDlddlUluRuuurrDDLUrdrddLLUlldRdrUrruulDuullDDRUdddlUluRurrrddLLUdrruulDlddlUluRu"
    "uuuurrDDLUrdDDLUrdrddLLUlldRdrUrruulDuullDDRUdddlUluRurrrddLLUlldRdrUrruulDuuuullDDRUldDDRUdddlUluRurrrddLLUdrruulD"
    "lddlUluRuuurrDDLUdrrddLLUlldRdrUrruulDuullDDRUdddlUluRurrrddLLUlldRdrUrruulD"
)
SEVEN_CROSSED = SEVEN.removesuffix("lldRdrUrruulD") + "drruulDlddlUluR"


def test_the_seven_box_ladder_is_the_published_one():
    assert ladder(7).level.published_text == (
        "-#####-|-#-+-#-|-#-.$#-|-#$*-#-|-#-*-##|##-*--#|#--*--#|#---*-#|##--###|-####--"
    )


@pytest.mark.parametrize(("crossed", "published"), [(False, SEVEN), (True, SEVEN_CROSSED)])
def test_the_published_solutions_solve_the_seven_box_ladder(crossed, published):
    member = ladder(7, crossed=crossed)
    result = replay(member.level, Moves.parse(published))
    assert (result.verdict, result.moves, result.pushes) == ("solved", member.moves, member.pushes)
    assert result.moves == 306 + 2 * crossed


@pytest.mark.parametrize("crossed", [False, True])
def test_the_published_solutions_push_as_ours_do(crossed):
    """One walk of three steps goes round a corner the other way."""
    published = SEVEN_CROSSED if crossed else SEVEN
    assert ladder(7, crossed=crossed).solution == published.replace("UdrrddL", "UrdrddL")


@pytest.mark.parametrize("boxes", range(4, 21))
@pytest.mark.parametrize("crossed", [False, True])
def test_every_ladder_is_solved_in_the_moves_and_pushes_of_the_formulas(boxes, crossed):
    member = ladder(boxes, crossed=crossed)
    result = replay(member.level, Moves.parse(member.solution))
    assert (result.verdict, result.moves, result.pushes, result.cut) == ("solved", member.moves, member.pushes, 0)
    assert not result.case_corrected
    assert (member.moves, member.pushes) == (ladder_moves(boxes) + 2 * crossed, ladder_pushes(boxes))


@pytest.mark.parametrize("boxes", [4, 5, 8, 13])
def test_both_endings_belong_to_the_same_level(boxes):
    assert ladder(boxes).level == ladder(boxes, crossed=True).level


def test_a_ladder_grows_by_one_row_and_three_cells_a_box():
    levels = {boxes: ladder(boxes).level for boxes in range(4, 15)}
    assert {(level.width, level.height - boxes) for boxes, level in levels.items()} == {(7, 3)}
    assert {len(level.reach) - 3 * boxes for boxes, level in levels.items()} == {7}
    assert all(not level.problems for level in levels.values())


@pytest.mark.parametrize("boxes", range(6, 60))
def test_the_closed_forms_follow_the_recursions(boxes):
    moves_more = 12 if boxes % 2 else 10
    assert ladder_moves(boxes) == ladder_moves(boxes - 1) + ladder_moves(boxes - 2) + boxes + moves_more
    assert ladder_pushes(boxes) == ladder_pushes(boxes - 1) + ladder_pushes(boxes - 2) + 8


@pytest.mark.parametrize("boxes", range(4, 26))
def test_the_closed_forms_are_those_in_the_golden_ratio(boxes):
    root = 5**0.5
    phi, psi = (1 + root) / 2, (1 - root) / 2
    moves = (-1) ** (boxes + 1) + (9 + root) * phi**boxes + (9 - root) * psi**boxes - boxes - 14
    pushes = (10 + 4 * root) / 5 * phi**boxes + (10 - 4 * root) / 5 * psi**boxes - 8
    assert (round(moves), round(pushes)) == (ladder_moves(boxes), ladder_pushes(boxes))


def test_the_seven_box_figures_are_306_and_102():
    assert (ladder_moves(7), ladder_pushes(7)) == (306, 102)


@pytest.mark.parametrize("boxes", [4, 5])
def test_no_solution_of_a_small_ladder_has_fewer_moves(boxes):
    assert fewest_moves(ladder(boxes).level) == ladder_moves(boxes)


@pytest.mark.parametrize("boxes", [4, 5])
def test_no_solution_of_a_small_ladder_has_fewer_pushes(boxes):
    assert fewest_pushes(ladder(boxes).level) == ladder_pushes(boxes)


@pytest.mark.parametrize("boxes", [-1, 0, 3, LADDERS[-1] + 1, 10**9])
def test_a_ladder_has_4_to_25_boxes(boxes):
    with pytest.raises(NoSuchMember, match="4 to 25"):
        ladder(boxes)


@pytest.mark.parametrize("number", [*range(1, 11), pytest.param(14, marks=pytest.mark.exhaustive)])
def test_nested_rooms_are_solved_in_the_moves_and_pushes_of_the_formulas(number):
    member = rooms(number)
    result = replay(member.level, Moves.parse(member.solution))
    assert (result.verdict, result.moves, result.pushes, result.cut) == ("solved", member.moves, member.pushes, 0)
    assert (member.moves, member.pushes) == (rooms_moves(number), rooms_pushes(number))
    assert not result.case_corrected


@pytest.mark.parametrize("number", range(1, 6))
def test_nested_rooms_have_no_solution_of_fewer_moves_or_pushes(number):
    level = rooms(number).level
    assert (fewest_moves(level), fewest_pushes(level)) == (rooms_moves(number), rooms_pushes(number))


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", [6, 7])
def test_six_and_seven_nested_rooms_have_no_shorter_solution_either(number):
    level = rooms(number).level
    assert (fewest_moves(level), fewest_pushes(level)) == (rooms_moves(number), rooms_pushes(number))


def test_the_room_of_depth_k_is_crossed_2_to_the_k_times():
    assert [crossings(rooms(6), depth) for depth in range(1, 7)] == [2, 4, 8, 16, 32, 64]


def crossings(member, depth):
    """How often the man changes between the left and the right port of a room."""
    level = member.level
    port_row = 3 + 5 * (depth - 1)
    left = (level.width - 9) // 2 + 1
    man, ports = level.player, []
    for letter in member.solution + "u":
        man += {"l": -1, "r": 1, "u": -level.width, "d": level.width}[letter.lower()]
        if man in (port_row * level.width + left, port_row * level.width + left + 6):
            ports.append(man)
    entered_from = [level.player, *ports] if depth == 1 else ports
    return sum(1 for before, after in pairwise(entered_from) if before != after)


@pytest.mark.parametrize("number", ROOMS)
def test_nested_rooms_are_small_enough_for_a_contest(number):
    level = rooms(number).level
    assert len(level.boxes) == 2 * number + 1
    assert len(level.reach) == 11 * number**2 + 25 * number - 8
    assert max(level.width, level.height) <= 100
    assert not level.problems


@pytest.mark.parametrize("number", [0, -3, ROOMS[-1] + 1])
def test_there_are_1_to_14_nested_rooms(number):
    with pytest.raises(NoSuchMember, match="1 to 14"):
        rooms(number)
