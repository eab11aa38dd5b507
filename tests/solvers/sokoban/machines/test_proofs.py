import pytest

from solvers.sokoban.machines import Gadget, prove_gadget
from solvers.sokoban.machines.proofs import end, explore_states, find_home_states, find_live_states, joint

CORNER = Gadget.parse("#a#|#-+|###")


@pytest.mark.parametrize(
    ("text", "rule", "is_sound"),
    [
        ("#a#|#-#|###", end, True),
        ("#a###|b---+|#-###|#+###", joint, False),
        ("#a#|#-+|#-+|###", end, False),
        ("#a###|#-$-+|#-###|#+###", end, False),
    ],
    ids=["nothing comes out again", "pushed too far", "a lane that can come back", "a box at an entrance"],
)
def test_a_board_that_is_no_vertex_is_not_proved(text, rule, is_sound):
    proof = prove_gadget(Gadget.parse(text), rule)
    assert (proof.is_sound, proof.is_complete) == (is_sound, False)


def test_a_search_that_would_grow_too_large_is_no_proof():
    proof = prove_gadget(CORNER, end, most=2)
    assert proof.is_sound is proof.is_complete is None
    assert not proof.is_proved


def test_a_box_pushed_too_far_is_no_fault_where_it_can_never_come_home():
    after = explore_states(CORNER)
    lost = [state for state in after if CORNER.is_cornered(state)]
    assert [state.boxes for state in lost] == [1 << 4]
    assert not find_live_states(after, find_home_states(after, CORNER.start)) & set(lost)
