import json

import pytest
from PIL import Image

from solvers.sokoban.commands.converting import LINE_READERS
from solvers.sokoban.formats import read_collection

OPEN = "####\n#@$.\n####\n"
CORRIDOR = "#####\n#@$.#\n#####\n"
WRITTEN = {"xsb": CORRIDOR, "compact": "5AHABDFAH5A\n", "letslogic": "5 3 111111234111111\n"}
SMALL = ("--boxes", "2", "--width", "5", "--height", "4", "--boards", "15", "--levels", "3")
TASK = {"xsb": "#####|#@$.#|#####", "lurd": "R"}


def test_levels_are_listed_with_file_line_size_and_title(run, levels):
    first, second = "1. Corridor (5x3, 1 box, by Somebody)", "2. Bend (6x3, 1 box, by Somebody, 1 solution)"
    assert run("levels", levels) == (0, f"two.xsb:4: {first}\ntwo.xsb:10: {second}\n", "")


@pytest.mark.parametrize(
    ("name", "why"), [(".", "Is a directory"), ("\udcff.xsb", "No such file or directory")], ids=["folder", "bytes"]
)
def test_a_missing_file_is_refused_as_text_and_as_json(run, name, why):
    code, out, err = run("levels", name)
    assert (code, out, err.count("\n"), why in err) == (2, "", 1, True)
    code, out, _ = run("levels", "--jsonl", name)
    assert (code, json.loads(out)["xsb"]) == (2, None)


def test_the_faults_of_a_level_are_listed(run):
    assert run("check", "-", stdin=OPEN) == (1, "standard input:1: 1.: open\n", "")
    code, out, _ = run("check", "--json", "-", stdin=OPEN)
    assert (code, json.loads(out)["errors"]) == (1, ["open"])


def test_impossible_moves_under_a_level_are_reported(run):
    code, out, _ = run("check", "-", stdin="#####\n#@$.#\n#####\n\nSolution\nllll\n")
    assert code == 1
    assert "the moves in line 6 are no solution: move 1, wall" in out


@pytest.mark.parametrize(("form", "text"), WRITTEN.items())
def test_a_level_is_written_in_a_format_and_read_back(run, form, text):
    assert run("convert", "--to", form, stdin=CORRIDOR) == (0, text, "")
    source = ["--from", form] if form in LINE_READERS else []
    assert run("convert", *source, stdin=text) == (0, CORRIDOR, "")


def test_unreadable_boards_are_reported_and_the_others_are_converted(run):
    code, out, err = run("convert", "--to", "rle", "--from", "compact", stdin="5AHABDFAH5A\nXYZ\n")
    assert (code, out) == (1, "5#|#@$.#|5#\n")
    assert err.startswith("standard input:2: 'X' is not")


@pytest.mark.parametrize(("name", "form", "frames"), [("a.png", "PNG", 1), ("a.GIF", "GIF", 3), ("a.apng", "PNG", 3)])
def test_the_file_extension_selects_the_format(run, tmp_path, name, form, frames):
    assert run("draw", "-", "-m", "rr", "-o", name, stdin="######\n#@$-.#\n######\n") == (0, "", "")
    with Image.open(tmp_path / name) as image:
        assert (image.format, getattr(image, "n_frames", 1), image.size) == (form, frames, (144, 72))


def test_levels_are_written_as_a_collection_with_their_solutions_and_tags(run):
    code, out, err = run("find", *SMALL)
    entries = read_collection(out).entries
    assert (code, err, len(entries)) == (0, "", 3)
    for entry in entries:
        (solution,) = entry.solutions
        lines = entry.comments.splitlines()
        assert f"Optimum: {solution.pushes} pushes, {solution.moves} moves (fewest pushes: proved)" in lines
        assert "Boxes: 2" in lines
        assert lines[-1].split()[1] in ("easy", "medium", "hard", "expert")


def test_a_level_is_rebuilt_from_moves(run):
    assert run("rebuild", "-m", "R") == (0, "#####\n#@$.#\n#####\n", "")
    assert run("rebuild", stdin="R\n")[1] == "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("--walk", "b4"), (0, "dd\n", "")),
        (("--box", "C3", "--to", "E3"), (0, "dRR\n", "")),
        (("--box", "C3", "--to", "A1"), (1, "There is no way.\n", "")),
        (("--box", "B2"), (2, "", "There is no box on B2.\n")),
    ],
)
def test_a_path_is_printed_as_letters(run, arguments, answer):
    assert run("paths", "-", *arguments, stdin="#######\n#@----#\n#-$-.-#\n#-----#\n#######\n") == answer


def test_moves_and_the_level_come_from_files_or_standard_input(run, levels, tmp_path):
    assert run("replay", levels, "-m", "R") == (0, "Solved: 1 move, 1 push (1/1/1/1/1).\n", "")
    assert run("replay", levels, stdin=" r\n")[0] == 0
    (tmp_path / "moves.txt").write_text("2(r)")
    assert run("replay", levels, "moves.txt")[1].endswith(" 1 move after it not looked at.\n")


def test_many_at_once_come_from_standard_input_or_a_file(run, tmp_path):
    tasks = "\n".join([json.dumps({**TASK, "lurd": "1r"}), "", json.dumps({**TASK, "lurd": "l"})])
    code, out, _ = run("replay", "--jsonl", stdin=tasks)
    assert (code, [json.loads(line)["verdict"] for line in out.splitlines()]) == (0, ["solved", "illegal"])
    (tmp_path / "tasks.jsonl").write_text(tasks)
    _, out, _ = run("replay", "--jsonl", "tasks.jsonl", "--reader", "strict")
    assert [json.loads(line)["verdict"] for line in out.splitlines()] == ["malformed", "illegal"]
