import pytest

from contest.rules.ground import also_solves
from solvers.sokoban import Level
from solvers.sokoban.solving.searching.first_look import first_look

LEVEL = "########|#--#---#|#.-$-$@#|#.-----#|#--#---#|########"
NEAR_COPIES = {
    "cell dug": "#########|#--#---##|#.-$-$@##|#.------#|#--#---##|#########",
    "wall removed": "########|#--#---#|#.-$-$@#|#.-----#|#------#|########",
    "frozen box added": "########|#*-#---#|#.-$-$@#|#.-----#|#--#---#|########",
    "border widened": "##########|#--------#|#-######-#|##--#---##|##.-$-$@##|##.-----##|##--#---##|##########",
    "player moved": "#########|#--#---##|#.-$-$-##|#.-----@#|#--#---##|#########",
    "frozen box added, player moved": "########|#*-#---#|#.-$-$-#|#.----@#|#--#---#|########",
    "frozen box added to a position": "########|#*-#---#|#.$@-$-#|#.-----#|#--#---#|########",
    "box added that goes elsewhere": "##########|#--#---###|#.-$-$@$.#|#.-----###|#--#---###|##########",
    "position": "#########|#--#---##|#.$@-$-##|#.------#|#--#---##|#########",
}
CORRIDOR = "######|#@-$.#|######"


def is_caught(level: str, copy: str, symmetry: int = 0) -> bool:
    board = Level.parse(copy).transform(symmetry)
    found = first_look(board, 100_000)
    return found is not None and also_solves(level, board, found[0])


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("copy", NEAR_COPIES.values(), ids=NEAR_COPIES)
def test_a_solution_of_a_near_copy_solves_the_level_in_any_orientation(copy, symmetry):
    assert is_caught(LEVEL, copy, symmetry)


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("copy", [LEVEL, NEAR_COPIES["player moved"], NEAR_COPIES["position"]])
def test_a_frozen_box_may_be_missing(copy, symmetry):
    assert is_caught(NEAR_COPIES["frozen box added"], copy, symmetry)


def test_a_goal_that_was_moved_on_changes_nothing():
    """The judge cuts the moves after the solution."""
    assert is_caught(CORRIDOR, "#######|#@-$-.#|#######")


@pytest.mark.parametrize(
    "other",
    [
        "########|#--#---#|#.-$-$@#|#------#|#.-#---#|########",
        "#######|#@--$.#|#-----#|#######",
        "########|#--#---#|#.-$-$@#|##.----#|#--#---#|########",
    ],
    ids=["other goals", "one box", "goal moved"],
)
def test_a_solution_of_another_level_does_not_solve_this_level(other):
    assert first_look(Level.parse(other), 100_000)
    assert not is_caught(LEVEL, other)
    assert not is_caught(CORRIDOR, other)
