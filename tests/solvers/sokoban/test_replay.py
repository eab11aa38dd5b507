import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sokoban import Level, Moves, kernels, replay
from solvers.sokoban.replay import Verdict, play, play_compiled
from tests.solvers.sokoban.boards import levels, obvious_replay

SHARED = Path(os.environ.get("SHARED_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))

steps = st.text("lurdLURD", max_size=60)


def played(board, text):
    return replay(Level.parse(board), Moves.parse(text))


def test_a_box_against_a_wall_does_not_move():
    outcome = played("####|#@$#|#. #|####", "R")
    assert (outcome.verdict, outcome.index, outcome.why) == ("illegal", 0, "box_against_wall")


def test_what_follows_the_first_solved_state_is_cut():
    outcome = played("#####|#@$.#|#####", "RRRDD")
    assert (outcome.verdict, outcome.moves, outcome.cut, outcome.lurd) == ("solved", 1, 4, "R")


def test_letter_case_is_corrected():
    outcome = played("######|#@-$.#|######", "Rr")
    assert (outcome.is_solved, outcome.lurd, outcome.case_corrected) == (True, "rR", True)
    assert not played("######|#@-$.#|######", "rR").case_corrected


def test_a_level_solved_at_the_start_needs_a_push_away_and_back():
    board = "######|#@*--#|######"
    assert played("#####|#@-*#|#####", "rl").verdict is Verdict.NOT_SOLVED
    assert played(board, "R").boxes_home == 0


@pytest.mark.parametrize(
    ("board", "text", "why"),
    [
        ("@$.", "l", "off_the_map"),
        ("@$.", "u", "off_the_map"),
        (".@$", "r", "box_off_the_map"),
        ("#@$.", "l", "wall"),
        ("#@$#.", "r", "box_against_wall"),
        ("#@$$..", "r", "box_against_box"),
    ],
)
def test_every_impossible_step_has_its_reason(board, text, why):
    outcome = played(board, text)
    assert (outcome.verdict, outcome.step, outcome.why) == ("illegal", 1, why)


@given(levels(), steps)
def test_a_replay_is_what_the_obvious_loop_says(level, text):
    lurd, end, home = obvious_replay(level, text)
    outcome = replay(level, Moves.parse(text))
    assert (outcome.lurd, outcome.boxes_home) == (lurd, home)
    assert outcome.pushes == sum(map(str.isupper, lurd))
    assert outcome.is_solved == (end == "solved")
    assert outcome.why == (None if end == "solved" else end)


@given(levels(), steps)
def test_the_scored_part_replayed_again_gives_the_same_with_nothing_cut(level, text):
    once = replay(level, Moves.parse(text))
    again = replay(level, Moves.parse(once.lurd))
    assert (again.lurd, again.cut, again.case_corrected, again.why) == (once.lurd, 0, False, None)
    assert (again.boxes_home, again.best_home, again.best_at) == (once.boxes_home, once.best_home, once.best_at)


@given(levels(), steps)
def test_the_loop_of_the_kernels_gives_the_same_course(level, text):
    assert play_compiled(level.arena, text) == play(level.arena, text)


@given(steps)
def test_the_loop_of_the_kernels_leaves_an_open_level_as_the_plain_one_does(text):
    arena = Level.parse("--.|-$@|---").arena
    assert play_compiled(arena, text) == play(arena, text)


def test_a_long_text_does_not_load_the_compiler():
    outcome = played("######|#@-$.#|######", "rl" * 100_000)
    assert outcome.moves == 200_000
    assert not kernels.is_warm()


@pytest.mark.parametrize("name", ["microban1", "xsokoban"])
def test_real_solutions_have_the_counts_they_were_published_with(name):
    """Rules 1.5, 6.6."""
    path = SHARED / "pairs" / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"no test data at {path}")
    for pair in map(json.loads, path.read_text("utf-8").splitlines()):
        outcome = replay(Level.parse(pair["xsb"]), Moves.parse(pair["lurd"]))
        assert outcome.is_solved, pair["title"]
        assert outcome.moves == pair.get("first_solved", pair["moves"])
        if "first_solved" not in pair:
            assert outcome.pushes == pair["pushes"]
