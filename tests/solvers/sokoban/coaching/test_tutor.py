import random

import pytest

from solvers.sokoban import Level
from solvers.sokoban.coaching.tutor import explain_loss
from solvers.sokoban.playback import Playback
from tests import sizes
from tests.solvers.sokoban.solving.full_search import can_get_home, is_solvable, pulled_level, steps

# Three boxes in a room with one way out: the two beside the door shut it, the third is free.
SHUT = Level.parse("#########|#..-#---#|#.--$-$-#|#---#$@-#|#-------#|#########")


def stray(level, chance):
    player, boxes, lurd = level.player, frozenset(level.boxes), ""
    letters = {-1: "l", 1: "r", -level.width: "u", level.width: "d"}
    while len(lurd) < 60 and boxes != frozenset(level.goals):
        (after, moved), pushed = chance.choice(
            [step for step in steps(level, player, boxes) for _ in range(1 + 3 * step[1])]
        )
        lurd += letters[after - player].upper() if pushed else letters[after - player]
        player, boxes = after, moved
        if pushed and not is_solvable(level, player, boxes):
            break
    return lurd


@pytest.mark.parametrize("count", sizes.cases([40], [1_000]))
def test_the_boxes_are_lost_since_the_push_and_none_can_be_left_out(count):
    chance = random.Random(20_261_129)
    lost = 0
    for _ in range(count):
        level = pulled_level(chance, max_side=5)
        lurd = stray(level, chance)
        last = Playback(level, lurd)[len(lurd)]
        loss = explain_loss(level, lurd)
        if is_solvable(level, last.player, last.boxes):
            assert loss is None, (str(level), lurd)
            continue
        lost += 1
        assert loss, (str(level), lurd)
        assert not can_get_home(level, last.player, loss.boxes)
        for box in loss.boxes:
            assert can_get_home(level, last.player, set(loss.boxes) - {box})
        assert set(loss.boxes) <= set(loss.reach)
        numbers = [last.boxes.index(box) for box in loss.boxes]
        before = Playback(level, lurd)[loss.moves]
        assert can_get_home(level, before.player, [before.boxes[number] for number in numbers])
        assert sum(map(str.isupper, lurd[: loss.moves])) == loss.push - 1
    assert lost > count / 2


def test_a_solvable_position_and_moves_that_cannot_be_played():
    assert explain_loss(SHUT) is None
    with pytest.raises(ValueError, match="step 1 of these moves is impossible"):
        explain_loss(SHUT, "L" * 9)
