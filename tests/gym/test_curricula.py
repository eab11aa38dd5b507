import pytest
from leitai_gym import Curriculum, Puzzle

from solvers.sokoban import Level

LANE = Level.parse("#######|#@$-.-#|#######")


@pytest.mark.parametrize(("passed", "window"), [(0.56, 50), (0.55, 100)])
def test_a_share_of_successes_is_met_exactly(passed, window):
    curriculum = Curriculum([[Puzzle(LANE, name)] for name in "ab"], passed=passed, window=window)
    for episode in range(window):
        curriculum.record(0, is_solved=episode < round(passed * window))
    assert curriculum.stage == 1


def test_episodes_on_levels_of_later_stages_do_not_pass_a_stage():
    curriculum = Curriculum([[Puzzle(LANE, name)] for name in "ab"], passed=0.5, window=1)
    curriculum.record(1, is_solved=True)
    assert curriculum.stage == 0
