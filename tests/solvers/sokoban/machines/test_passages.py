from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.machines.passages import TURNSTILE, TURNSTILE_LEVEL, Passage, is_passage, turnstile

SOLUTION = "dddddrrrUdllluuuuurrdddRluuurrrrrddlllD"


def test_the_turnstile_is_its_table_and_the_box_can_only_go_round_or_shut_a_gate_for_ever():
    assert len(TURNSTILE.table) == 8
    assert is_passage(TURNSTILE, turnstile(), 0)


def test_a_board_with_a_box_that_reaches_a_gate_is_no_passage():
    pushed = Passage.parse("#####|1-$-2|#####")
    assert any((1, 4) in boxes for boxes in pushed.table)
    assert not is_passage(pushed, pushed.table, pushed.start)


def test_three_quarters_of_a_turn_solve_the_level_around_it():
    level = Level.parse(TURNSTILE_LEVEL)
    assert not level.problems
    result = replay(level, Moves.parse(SOLUTION))
    assert (result.verdict.value, result.pushes) == ("solved", 3)
