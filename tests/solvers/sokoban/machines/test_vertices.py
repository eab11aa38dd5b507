import pytest

from solvers.logic import Formula, decide
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.machines import Gadget, proofs, prove_gadget
from solvers.sokoban.machines.formula_levels import FORMULA_LEVELS, x_and_y, x_differs_from_y, x_or_not_x
from solvers.sokoban.machines.passages import TURNSTILE, TURNSTILE_LEVEL, Passage, is_passage, turnstile
from solvers.sokoban.machines.vertices import AND, END, OR, PASSABLE, bracket, corner, straight
from solvers.sokoban.solving import Aim, Budget, Solved, Unsolvable, solver
from solvers.sokoban.solving.solver import solve

JOINT = {"--", "a-", "-b"}
TABLES = [
    (END, proofs.end, {"-", "a"}, 3, 2),
    (straight(12), proofs.joint, JOINT, 8, 3),
    (corner(9, 6), proofs.joint, JOINT, 8, 3),
    (bracket(9), proofs.joint, JOINT, 8, 3),
    (PASSABLE, proofs.joint, JOINT, 40, 8),
    (OR, proofs.or_vertex, {"---", "a--", "-b-", "--c", "ab-", "a-c", "-bc"}, 20, 7),
    (AND, proofs.and_vertex, {"---", "a--", "-b-", "ab-", "--c"}, 56, 7),
]
SOLUTION = "dddddrrrUdllluuuuurrdddRluuurrrrrddlllD"
CORNER = Gadget.parse("#a#|#-+|###")
ALL = pytest.mark.parametrize(("text", "make"), FORMULA_LEVELS, ids=lambda one: getattr(one, "__name__", ""))


@pytest.mark.parametrize(("board", "rule", "table", "states", "live"), TABLES)
def test_a_vertex_has_the_port_states_of_its_table_and_turns_one_port_at_a_time(board, rule, table, states, live):
    proof = prove_gadget(board, rule)
    assert proof.is_proved
    assert (proof.states, proof.live) == (states, live)
    assert {
        seen(proofs.ports_of(state)) for state in proofs.find_home_states(proofs.explore_states(board), board.start)
    } == table
    within = {
        (one, other)
        for one in table
        for other in table
        if sum(before != after for before, after in zip(one, other, strict=True)) == 1
    }
    assert {(seen(before), seen(after)) for before, after in proof.turns} == within


def test_without_the_box_between_its_rooms_the_vertex_is_no_and():
    assert not prove_gadget(Gadget(tuple(row.replace("$", "-") for row in AND.rows)), proofs.and_vertex).is_proved


def seen(ports):
    return "".join(letter if away else "-" for letter, away in zip("abc", ports))  # noqa: B905 - as many as given


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


@pytest.mark.parametrize(
    ("text", "rule", "is_sound"),
    [
        ("#a#|#-#|###", proofs.end, True),
        ("#a###|b---+|#-###|#+###", proofs.joint, False),
        ("#a#|#-+|#-+|###", proofs.end, False),
        ("#a###|#-$-+|#-###|#+###", proofs.end, False),
    ],
    ids=["nothing comes out again", "pushed too far", "a lane that can come back", "a box at an entrance"],
)
def test_a_board_that_is_no_vertex_is_not_proved(text, rule, is_sound):
    proof = prove_gadget(Gadget.parse(text), rule)
    assert (proof.is_sound, proof.is_complete) == (is_sound, False)


def test_a_search_that_would_grow_too_large_is_no_proof():
    proof = prove_gadget(CORNER, proofs.end, most=2)
    assert proof.is_sound is proof.is_complete is None
    assert not proof.is_proved


def test_a_box_pushed_too_far_is_no_fault_where_it_can_never_come_home():
    after = proofs.explore_states(CORNER)
    lost = [state for state in after if CORNER.is_cornered(state)]
    assert [state.boxes for state in lost] == [1 << 4]
    assert not proofs.find_live_states(after, proofs.find_home_states(after, CORNER.start)) & set(lost)


@ALL
def test_a_level_can_be_solved_exactly_when_its_formula_is_true(text, make):
    level = Level.parse(make())
    answer = solve(level, budget=Budget(cpu_seconds=60))
    assert isinstance(answer, Solved if decide(Formula.parse(text)).is_true else Unsolvable)
    if isinstance(answer, Solved):
        assert replay(level, Moves.parse(answer.lurd)).verdict.value == "solved"


@pytest.mark.parametrize(("make", "pushes"), [(x_and_y, 9), (x_or_not_x, 3), (x_differs_from_y, 23)])
def test_the_fewest_pushes_equal_the_documented_numbers(make, pushes):
    answer = solver.prove(Level.parse(make()), Aim.PUSHES)
    assert isinstance(answer, Solved)
    assert (answer.pushes, answer.proven) == (pushes, Aim.PUSHES)
