from solvers.sokoban.machines import Gadget
from solvers.sokoban.machines.gadgets import State


def test_ports_are_read_with_the_way_inwards():
    gadget = Gadget.parse("#a###|b---+|#--$#|###c#")
    assert gadget.ports == (("a", 1, 5), ("b", 5, 1), ("c", 18, -5))
    assert gadget.start.boxes == 1 << 13


def test_a_box_on_an_entrance_may_be_pushed_beyond_the_board():
    gadget = Gadget.parse("###|#-+|###")
    corner, entrance = (State(1 << cell, (), -1) for cell in (4, 5))
    assert (gadget.is_cornered(corner), gadget.is_cornered(entrance)) == (True, False)
    assert (gadget.is_unclear(corner), gadget.is_unclear(entrance)) == (False, True)
