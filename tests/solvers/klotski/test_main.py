import json

from solvers.klotski.__main__ import main
from tests.solvers.running import runner

BOARD = "VCCV/VCCV/VHHV/VooV/o..o"

run = runner(main)


def test_solving_prints_the_moves_that_replaying_takes(run):
    code, out, err = run("solve", "横刀立马")
    assert (code, out.split("\n")[0], err) == (0, "81 moves", "")
    assert run("replay", BOARD, "-", stdin=out.split("\n")[1])[:2] == (0, "Solved: 81 moves.\n")
    assert run("solve", BOARD, "--to", "VCCV/VCCV/VHHV/VooV/.oo.")[1].split("\n")[0] == "2 moves"


def test_a_question_without_an_answer_has_exit_code_1(run):
    assert run("solve", BOARD, "--goal", "rotated")[0] == 1
    code, out, _ = run("solve", BOARD, "--goal", "rotated", "--json")
    assert (code, json.loads(out)) == (1, {"moves": None, "solution": None})


def test_the_position_of_an_illegal_move_is_reported(run):
    code, out, _ = run("replay", BOARD, "B4d A1d")
    assert (code, out.split("\n")[0]) == (1, "Illegal: move 2 (character 5): something is in its way.")
    assert json.loads(run("replay", BOARD, "B5u", "--json")[1])["why"] == "no_piece"
