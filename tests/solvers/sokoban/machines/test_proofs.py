import pytest
from hypothesis import given, settings

from solvers.sokoban.machines import Gadget, prove
from solvers.sokoban.machines.hunting import hunt
from solvers.sokoban.machines.proofs import end, explore_states, find_home_states, find_live_states, joint
from tests.solvers.sokoban.machines.test_gadgets import gadgets, steps

CORNER = Gadget.parse("#a#|#-+|###")


def test_a_corner_with_an_entrance_is_the_end_of_an_edge():
    proof = prove(CORNER, end)
    assert (proof.is_proved, proof.states, proof.live) == (True, 3, 2)
    assert proof.turns == {((False,), (True,)), ((True,), (False,))}


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
    proof = prove(Gadget.parse(text), rule)
    assert (proof.is_sound, proof.is_complete) == (is_sound, False)


def test_a_search_that_would_grow_too_large_is_no_proof():
    proof = prove(CORNER, end, most=2)
    assert proof.is_sound is proof.is_complete is None
    assert not proof.is_proved


def test_a_box_pushed_too_far_is_no_fault_where_it_can_never_come_home():
    after = explore_states(CORNER)
    lost = [state for state in after if CORNER.is_cornered(state)]
    assert [state.boxes for state in lost] == [1 << 4]
    assert not find_live_states(after, find_home_states(after, CORNER.start)) & set(lost)


def test_hunting_finds_proved_boards_and_the_same_ones_for_the_same_seed():
    found, looked = hunt(end, 1, (4, 4), 0, tries=60, seed=1)
    assert (bool(found), looked) == (True, 60)
    assert all(prove(gadget, end) == proof and proof.is_proved for gadget, proof in found)
    assert hunt(end, 1, (4, 4), 0, tries=60, seed=1) == (found, looked)


@settings(max_examples=30, deadline=None)
@given(gadgets())
def test_live_states_equal_a_search_by_single_steps(gadget):
    after = explore_states(gadget)
    home = find_home_states(after, gadget.start)
    found = {seen(gadget, state) for state in find_live_states(after, home)}
    at_home = {seen(gadget, state) for state in home}
    assert found == {(boxes, lanes) for boxes, lanes, _man in live_by_steps(gadget, at_home)}


def seen(gadget, state):
    cells = frozenset(cell for cell in range(len(gadget.text)) if state.boxes >> cell & 1)
    return cells, tuple((lane.inside, lane.is_full) for lane in state.lanes)


def live_by_steps(gadget, at_home):
    """Return the live states step by step: from each state search again for one that is *at_home*."""
    floor = {cell for cell, letter in enumerate(gadget.text) if letter != "#"}

    def reached(first):
        met, todo = {first}, [first]
        while todo:
            for then in steps(gadget, floor, *todo.pop()):
                if then not in met and (0, False) not in then[1]:
                    met.add(then)
                    todo.append(then)
        return met

    start = *seen(gadget, gadget.start), "outside"
    return {state for state in reached(start) if any(then[:2] in at_home for then in reached(state))}
