import pytest

from solvers.sokoban.machines import Gadget, prove
from solvers.sokoban.machines.proofs import and_vertex, end, home_states, joint, or_vertex, pointing, states_after
from solvers.sokoban.machines.vertices import AIM, AND, END, OR, PASSABLE, bracket, corner, flip, mirror, straight, turn

JOINT = {"--", "a-", "-b"}
TABLES = [
    (END, end, {"-", "a"}, 3, 2),
    (straight(5), joint, JOINT, 8, 3),
    (straight(12), joint, JOINT, 8, 3),
    (corner(4, 5), joint, JOINT, 8, 3),
    (corner(9, 6), joint, JOINT, 8, 3),
    (bracket(2), joint, JOINT, 8, 3),
    (bracket(9), joint, JOINT, 8, 3),
    (PASSABLE, joint, JOINT, 40, 8),
    (OR, or_vertex, {"---", "a--", "-b-", "--c", "ab-", "a-c", "-bc"}, 20, 7),
    (AND, and_vertex, {"---", "a--", "-b-", "ab-", "--c"}, 56, 7),
]


@pytest.mark.parametrize(("board", "rule", "table", "states", "live"), TABLES)
def test_a_vertex_has_the_port_states_of_its_table_and_turns_one_port_at_a_time(board, rule, table, states, live):
    proof = prove(board, rule)
    assert proof.is_proved
    assert (proof.states, proof.live) == (states, live)
    assert {seen(pointing(state)) for state in home_states(states_after(board), board.start)} == table
    within = {
        (one, other)
        for one in table
        for other in table
        if sum(before != after for before, after in zip(one, other, strict=True)) == 1
    }
    assert {(seen(before), seen(after)) for before, after in proof.turns} == within


@pytest.mark.parametrize(("board", "rule", "table", "states", "live"), TABLES)
def test_a_vertex_turned_or_seen_in_a_mirror_is_the_same_vertex(board, rule, table, states, live):
    for one in (board, mirror(board), flip(board)):
        for _quarter in range(4):
            one = turn(one)  # noqa: PLW2901 - turned on
            proof = prove(one, rule)
            assert proof.is_proved
            assert (proof.states, proof.live) == (states, live)


def test_without_the_box_between_its_rooms_the_vertex_is_no_and():
    assert not prove(Gadget(tuple(row.replace("$", "-") for row in AND.rows)), and_vertex).is_proved


def test_the_man_crosses_a_passable_wire_whichever_way_its_box_has_gone():
    above, below = (cell for cell, sign in enumerate(PASSABLE.text) if sign == "+" and cell % PASSABLE.width in (5, 6))
    lane = range(PASSABLE.width + 4, PASSABLE.width + 8)
    crossed = set()
    for state in home_states(states_after(PASSABLE), PASSABLE.start):
        is_open = below in walked(PASSABLE, state.boxes, above)
        assert is_open == bool(state.boxes >> lane[0] & 1 or state.boxes >> lane[3] & 1)
        if is_open:
            crossed.add(seen(pointing(state)))
    assert crossed == JOINT


def test_the_last_box_of_the_aim_is_reached_only_while_the_box_of_its_port_is_away():
    after = states_after(AIM)
    last = 1 << AIM.text.index("$")
    pushed = [(state, then) for state, thens in after.items() for then in thens if state.boxes & ~then.boxes & last]
    assert pushed
    assert not any(pointing(state)[0] for state, _then in pushed)


def walked(board, boxes, first):
    """Where a man gets who stays on the board."""
    met, todo = {first}, [first]
    while todo:
        cell = todo.pop()
        for step in (1, -1, board.width, -board.width):
            to = cell + step
            is_beside = 0 <= to < len(board.text) and (abs(step) > 1 or to // board.width == cell // board.width)
            if is_beside and board.text[to] != "#" and not boxes >> to & 1 and to not in met:
                met.add(to)
                todo.append(to)
    return met


def seen(ports):
    return "".join(letter if away else "-" for letter, away in zip("abc", ports))  # noqa: B905 - as many as there are
