import json

import pytest

OPEN = "####\n#@$.\n####\n"


def test_levels_are_listed_with_file_line_size_and_title(run, levels):
    assert run("levels", levels) == (
        0,
        "two.xsb:4: 1. Corridor (5x3, 1 box, by Somebody)\ntwo.xsb:10: 2. Bend (6x3, 1 box, by Somebody, 1 solution)\n",
        "",
    )


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
