from pathlib import Path

import pytest

from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.formats import read_collection
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving import compiling, exact
from solvers.sokoban.solving.answers import Aim, Limit, Solved, Unknown, Unsolvable
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.loading import missing_stages
from solvers.sokoban.solving.solver import prove, solve, solve_small

UNSOLVABLE = read_collection((Path(__file__).resolve().parents[3] / "data" / "unsolvable.sok").read_bytes()).entries


def hall(box: int) -> Level:
    """Return a hall of 2,400 squares with a goal in the middle and a box in column *box* of the same row."""
    wall, empty, row = "#" * 62, "#" + "-" * 60 + "#", list("#@" + "-" * 59 + "#")
    row[box], row[30] = "$", "."
    return Level.parse("\n".join([wall, *[empty] * 20, "".join(row), *[empty] * 19, wall]))


def test_a_board_of_more_than_two_thousand_squares_is_solved():
    level = hall(box=10)
    answer = solve(level, budget=Budget(nodes=200_000))
    assert isinstance(answer, Solved)
    assert (replay(level, Moves.parse(answer.lurd)).is_solved, answer.pushes) == (True, 20)


def test_a_board_of_more_than_two_thousand_squares_is_proved_unsolvable():
    assert isinstance(solve(hall(box=60)), Unsolvable)


def test_the_greedy_search_leaves_a_large_board_to_the_others_and_reports_ctrl_c():
    assert solve_small(hall(box=10), Budget()) is None
    stopped = solve_small(ladder(5).level, Budget(), cancelled=lambda: True)
    assert isinstance(stopped, Unknown)
    assert stopped.limit is Limit.CANCELLED


def test_the_greedy_search_is_compiled_before_the_rest_of_a_solve(monkeypatch, tmp_path):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    assert list(missing_stages("solve")) == ["greedy search", "search by plan", "search by picture"]
    (tmp_path / "greedy search").touch()
    assert (missing_stages("solve_small"), len(missing_stages("solve"))) == ({}, 2)


def test_a_proof_that_runs_out_of_time_reports_the_limit():
    """A proof runs several searches; the first ends at an internal node limit, which must not be reported."""
    for seconds in (0.05, 0.2):
        answer = prove(ladder(14).level, budget=Budget(cpu_seconds=seconds))
        assert isinstance(answer, Unknown)
        assert answer.limit is Limit.CPU_SECONDS


@pytest.mark.parametrize(("aim", "bounds"), [(Aim.PUSHES, (2, 0)), (Aim.MOVES, (1, 4))])
def test_a_proof_by_the_optimizer_counts_if_the_exact_search_ends_early(monkeypatch, aim, bounds):
    monkeypatch.setattr(exact, "prove_exactly", lambda *_args, **_named: Unknown(Limit.NODES, 1))
    level = Level.parse("#######|#@----#|#--$-.#|#-----#|#######")
    answer = prove(level, aim, Budget(nodes=1_000_000))
    assert isinstance(answer, Solved)
    assert answer.proven is aim
    assert (answer.pushes, answer.moves) == (2, 4)
    assert (answer.lower_bound_pushes, answer.lower_bound_moves) == bounds
    assert replay(level, Moves.parse(answer.lurd)).is_solved


@pytest.mark.parametrize("entry", UNSOLVABLE, ids=lambda entry: entry.title)
def test_a_level_without_a_solution_is_proved_unsolvable(entry):
    assert isinstance(prove(entry.level, budget=Budget(nodes=500_000)), Unsolvable)


@pytest.mark.parametrize("limit", [{"nodes": 1.5}, {"megabytes": 0.5}, {"nodes": float("inf")}])
def test_nodes_and_megabytes_are_whole_numbers(limit):
    with pytest.raises(ValueError, match=next(iter(limit))):
        Budget(**limit)
