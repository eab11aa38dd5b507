import pytest

from solvers.sokoban.machines import Gadget
from solvers.sokoban.machines.composing import Part, compose
from solvers.sokoban.machines.vertices import AIM, END, mirror


def test_two_ends_compose_a_level_with_one_box_on_its_goal():
    assert compose([Part(END, 0, 0, "a"), Part(mirror(END), 0, -3)]).split() == [
        "##########",
        "#@-------#",
        "#-######-#",
        "#-#--*-#-#",
        "#-#----#-#",
        "#--------#",
        "##########",
    ]


@pytest.mark.parametrize("inside", ["", "a"])
def test_an_edge_needs_exactly_one_box(inside):
    with pytest.raises(ValueError, match="needs one box"):
        compose([Part(END, 0, 0, inside), Part(mirror(END), 0, -3, inside)])


def test_boards_do_not_overlap():
    with pytest.raises(ValueError, match="overlap"):
        compose([Part(END, 0, 0, "a"), Part(mirror(END), 0, -2)])


def test_a_port_meets_a_port():
    with pytest.raises(ValueError, match="is open to"):
        compose([Part(END, 0, 0, "a")])


def test_a_square_at_the_border_is_shut_in_unless_it_is_an_entrance():
    for rows, row, column in (
        (("###", "--#", "###"), 1, -1),
        (("###", "#--", "###"), 1, 3),
        (("#-#", "#-#", "###"), -1, 1),
        (("###", "#-#", "#-#"), 3, 1),
    ):
        with pytest.raises(ValueError, match="is open to"):
            compose([Part(Gadget(rows), 0, 0), Part(Gadget(("+",)), row, column)])
    assert compose([Part(Gadget(("###", "--#", "###")), 0, 0)]).split()[3] == "#-#--#-#"


def test_a_box_of_the_aim_begins_beside_its_goal():
    level = compose([Part(AIM, 0, 0, "a"), Part(Gadget(("###", "#-+", "#a+")), -3, 2)])
    assert (level.count("*"), level.count("$"), level.count(".")) == (1, 1, 1)
