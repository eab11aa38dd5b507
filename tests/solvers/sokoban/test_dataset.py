import pytest

from solvers.sokoban import Moves, prove, replay
from solvers.sokoban.checks.deadlocks import dead_squares
from solvers.sokoban.dataset import GRADES, load_levels, split_of
from solvers.sokoban.solving import Aim, Solved
from solvers.sokoban.solving.certificates.writing import certify
from tests import sizes
from tests.solvers.sokoban.solving.certificates.forgeries import check

LEVELS = load_levels()


def test_each_solution_has_the_push_optimum_and_each_fact_is_true():
    assert len(LEVELS) == 200
    for number, entry in enumerate(LEVELS):
        level, played = entry.level, replay(entry.level, Moves.parse(entry.solution))
        assert not level.problems
        assert (played.is_solved, played.lurd, played.pushes) == (True, entry.solution, entry.push_optimum)
        assert entry.grade == 1 + number % len(GRADES)
        assert entry.push_optimum in GRADES[entry.grade]
        assert frozenset(entry.dead_squares) == dead_squares(level)


def test_no_level_is_another_one_turned_and_the_key_decides_the_split():
    assert len({entry.key for entry in LEVELS}) == len(LEVELS)
    for number, entry in enumerate(LEVELS):
        assert entry.level.transform(number % 8).key == entry.key
        assert entry.split == split_of(entry.key)


@pytest.mark.parametrize("entry", sizes.cases(LEVELS[:5], LEVELS), ids=lambda entry: entry.id)
def test_the_optima_are_proved_again(entry):
    assert prove(entry.level).pushes == entry.push_optimum
    if entry.move_optimum is not None:
        assert prove(entry.level, Aim.MOVES).moves == entry.move_optimum


@pytest.mark.parametrize("entry", sizes.cases(LEVELS[:5], LEVELS), ids=lambda entry: entry.id)
def test_the_push_optima_have_certificates(entry, tmp_path):
    solution = Solved(entry.solution, len(entry.solution), entry.push_optimum, proven=Aim.PUSHES)
    checked = check(tmp_path, certify(entry.level, solution), entry.level)
    assert checked.startswith(f"PROVED: no solution has fewer than {entry.push_optimum} pushes")


def test_levels_are_chosen_by_split_and_grade():
    chosen = load_levels("held_out", 5)
    assert {(entry.split, entry.grade) for entry in chosen} == {("held_out", 5)}
    with pytest.raises(ValueError, match="the splits are train, test, held_out, and the grades 1 to 5"):
        load_levels("validation")
