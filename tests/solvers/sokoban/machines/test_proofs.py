import pytest

from solvers.sokoban.machines import Gadget, prove
from solvers.sokoban.machines.proofs import and_vertex, end, joint, or_vertex


def drawn(text):
    return Gadget.parse("\n".join(row.strip() for row in text.strip().splitlines()))


def test_a_corner_with_an_entrance_is_the_end_of_an_edge():
    proof = prove(
        drawn("""
            #a#
            #-+
            ###
        """),
        end,
    )
    assert proof.is_proved
    assert proof.states == 4
    assert proof.turns == {((False,), (True,)), ((True,), (False,))}


def test_without_an_entrance_nothing_comes_out_again():
    proof = prove(
        drawn("""
            #a#
            #-#
            ###
        """),
        end,
    )
    assert proof.is_sound
    assert not proof.is_complete


def test_two_lanes_into_one_square_are_no_joint_for_a_box_may_be_pushed_too_far():
    proof = prove(
        drawn("""
            #a###
            b---+
            #-###
            #+###
        """),
        joint,
    )
    assert not proof.is_sound


def test_a_search_that_would_grow_too_large_is_no_proof():
    proof = prove(Gadget.parse("#a#|#-+|###"), end, most=3)
    assert proof.is_sound is proof.is_complete is None
    assert not proof.is_proved


@pytest.mark.parametrize(
    ("rule", "most"),
    [(joint, {(1, 0), (0, 1)}), (or_vertex, {(1, 1, 0), (1, 0, 1), (0, 1, 1)}), (and_vertex, {(1, 1, 0), (0, 0, 1)})],
)
def test_a_vertex_allows_all_that_its_fullest_states_contain(rule, most):
    ports = len(next(iter(most)))
    for number in range(2**ports):
        state = tuple(bool(number >> at & 1) for at in range(ports))
        assert rule(state) == any(
            all(full or not one for one, full in zip(state, fullest, strict=True)) for fullest in most
        )
