"""Levels as questions for language models, and what counts as their answer."""

import pytest

from solvers.sokoban import Level
from solvers.sokoban.prompting import describe_attempt, describe_level, read_answer

DRAFTS = "Step 1: r\nu\nThen perhaps\nrr\n"


@pytest.mark.parametrize(
    ("answer", "moves"),
    [
        (DRAFTS + "MOVES: rrUl", "rrUl"),
        (DRAFTS + "**MOVES:** `rrUl`", "rrUl"),
        (DRAFTS + "MOVES: rr\nUl\nThis solves it.", "rrUl"),
        ("I was asked for MOVES: ll\nMOVES: uu\nNo, wait.\nMOVES: rr", "rr"),
        ("MOVES: rr\nMOVES: none", ""),
        ("The moves are rr.", "rr"),
        ("MOVES:", ""),
    ],
)
def test_the_last_line_of_moves_is_the_answer_and_drafts_before_it_are_not(answer, moves):
    assert read_answer(answer) == moves


def test_the_numbers_of_wide_and_high_boards_are_above_and_beside_their_cells():
    level = Level.parse("\n".join(["#" * 120, "#@$." + "-" * 115 + "#", *["#" + "-" * 118 + "#"] * 100, "#" * 120]))
    lines = describe_level(level).splitlines()
    hundreds, tens, units, *rows = lines[:-1]
    assert (hundreds[-20:], tens[-20:], units[-20:]) == ("1" * 20, "0" * 10 + "1" * 10, "0123456789" * 2)
    assert {len(line) for line in (hundreds, tens, units, *rows)} == {124}
    assert {row[:4] for row in rows} == {f"{number:3} " for number in range(103)}


def test_steps_after_the_solution_are_counted_in_words():
    level = Level.parse("#####|#@$.#|#####")
    assert describe_attempt(level, "Rl") == "Solved: 1 move, 1 push. 1 step after the solution does not count."
    assert describe_attempt(level, "Rlr").endswith("2 steps after the solution do not count.")
