from dataclasses import replace

from solvers.sokoban import Level
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.difficulty import Band, Difficulty, difficulty


def test_more_of_anything_counted_is_harder_and_a_better_bound_easier():
    seen = Difficulty(pushes=20, box_changes=5, lower_bound=10, states=1000, branches=2.0, dead_ends=0.1)
    for more in ({"pushes": 21}, {"box_changes": 6}, {"states": 2000}, {"branches": 3.0}, {"dead_ends": 0.2}):
        assert replace(seen, **more).score > seen.score
    assert replace(seen, lower_bound=11).score < seen.score
    easy, hard = Level.parse("######|#@$-.#|######"), ladder(9)
    assert difficulty(easy, "RR").band is Band.EASY
    assert difficulty(hard.level, hard.solution).band >= Band.HARD
