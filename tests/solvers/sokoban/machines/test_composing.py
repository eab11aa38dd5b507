from solvers.sokoban.machines.composing import Part, compose
from solvers.sokoban.machines.vertices import END, mirror


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
