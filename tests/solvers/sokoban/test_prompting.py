import pytest

from solvers.sokoban.prompting import read_answer

DRAFTS = "Step 1: r\nu\nThen perhaps\nrr\n"


@pytest.mark.parametrize(
    ("answer", "moves"),
    [
        (DRAFTS + "MOVES: rrUl", "rrUl"),
        (DRAFTS + "MOVES: rr\nUl\nThis solves it.", "rrUl"),
        ("I was asked for MOVES: ll\nMOVES: uu\nNo, wait.\nMOVES: rr", "rr"),
        ("MOVES: rr\nMOVES: none", ""),
        ("The moves are rr.", "rr"),
    ],
)
def test_the_last_line_of_moves_is_the_answer_and_drafts_before_it_are_not(answer, moves):
    assert read_answer(answer) == moves
