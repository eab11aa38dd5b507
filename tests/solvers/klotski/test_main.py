import json

import pytest
from PIL import Image

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


def test_a_file_is_read_as_a_layout(run, tmp_path):
    (tmp_path / "board.txt").write_text(BOARD.replace("/", "\n"))
    code, out, _ = run("check", "board.txt", "--json")
    assert code == 0
    assert json.loads(out) == {
        "layout": BOARD.replace("/", ""), "number": 73647, "horizontals": 1, "name": "横刀立马", "moves": 81,
        "best": ["B4d", "C4d", "A5r", "D5l"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "words", "answer"),
    [
        (
            BOARD,
            "横刀立马 (Heng Dao Li Ma), number 73,647, 1 horizontal.|81 moves to the exit.|Best next: B4d C4d A5r D5l|",
            ("横刀立马", 81, 4),
        ),
        ("..oo/oVCC/oVCC/VVVV/VVVV", "number 5, 0 horizontals.|The exit cannot be reached.|", (None, None, 0)),
        ("VVVV/VVVV/HHoo/oCCo/.CC.", "number 69,068, 1 horizontal.|0 moves to the exit.|", (None, 0, 0)),
    ],
)
def test_a_check_prints_the_name_the_distance_and_the_best_moves_if_any(run, layout, words, answer):
    assert run("check", layout) == (0, f"{layout}|{words}".replace("/", "\n").replace("|", "\n"), "")
    found = json.loads(run("check", layout, "--json")[1])
    assert (found["name"], found["moves"], len(found["best"])) == answer


@pytest.mark.parametrize(("ending", "frames"), [("png", 1), ("gif", 3)])
def test_a_picture_has_the_format_of_its_file_name(run, tmp_path, ending, frames):
    assert run("draw", BOARD, "-m", "B4d D5l", "--names", "-o", f"board.{ending}") == (0, "", "")
    with Image.open(tmp_path / f"board.{ending}") as image:
        assert getattr(image, "n_frames", 1) == frames
