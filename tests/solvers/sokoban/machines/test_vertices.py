import pytest

from solvers.sokoban.machines import Gadget, prove_gadget
from solvers.sokoban.machines.proofs import (
    and_vertex,
    end,
    explore_states,
    find_home_states,
    joint,
    or_vertex,
    ports_of,
)
from solvers.sokoban.machines.vertices import AND, END, OR, PASSABLE, bracket, corner, straight

JOINT = {"--", "a-", "-b"}
TABLES = [
    (END, end, {"-", "a"}, 3, 2),
    (straight(12), joint, JOINT, 8, 3),
    (corner(9, 6), joint, JOINT, 8, 3),
    (bracket(9), joint, JOINT, 8, 3),
    (PASSABLE, joint, JOINT, 40, 8),
    (OR, or_vertex, {"---", "a--", "-b-", "--c", "ab-", "a-c", "-bc"}, 20, 7),
    (AND, and_vertex, {"---", "a--", "-b-", "ab-", "--c"}, 56, 7),
]


@pytest.mark.parametrize(("board", "rule", "table", "states", "live"), TABLES)
def test_a_vertex_has_the_port_states_of_its_table_and_turns_one_port_at_a_time(board, rule, table, states, live):
    proof = prove_gadget(board, rule)
    assert proof.is_proved
    assert (proof.states, proof.live) == (states, live)
    assert {seen(ports_of(state)) for state in find_home_states(explore_states(board), board.start)} == table
    within = {
        (one, other)
        for one in table
        for other in table
        if sum(before != after for before, after in zip(one, other, strict=True)) == 1
    }
    assert {(seen(before), seen(after)) for before, after in proof.turns} == within


def test_without_the_box_between_its_rooms_the_vertex_is_no_and():
    assert not prove_gadget(Gadget(tuple(row.replace("$", "-") for row in AND.rows)), and_vertex).is_proved


def seen(ports):
    return "".join(letter if away else "-" for letter, away in zip("abc", ports))  # noqa: B905 - as many as given
