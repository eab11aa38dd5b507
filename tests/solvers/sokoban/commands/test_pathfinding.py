import json

import pytest

ROOM = "#######\n#@----#\n#-$-.-#\n#-----#\n#######\n"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("--walk", "b4"), (0, "dd\n", "")),
        (("--box", "C3", "--to", "E3"), (0, "dRR\n", "")),
        (("-m", "dR", "--box", "D3", "--to", "E3"), (0, "R\n", "")),
        (("--walk", "A1"), (1, "There is no way.\n", "")),
        (("--box", "C3", "--to", "A1"), (1, "There is no way.\n", "")),
        (("--box", "B2"), (2, "", "There is no box on B2.\n")),
    ],
)
def test_a_path_is_printed_as_letters(run, arguments, answer):
    assert run("paths", "-", *arguments, stdin=ROOM) == answer


def test_a_box_that_cannot_be_pushed_is_reported(run):
    assert run("paths", "-", "--box", "D2", stdin="#####\n#@.$#\n#####\n")[:2] == (1, "This box cannot be pushed.\n")


def test_answers_are_printed_as_json(run):
    _, out, _ = run("paths", "-", "--json", "--box", "C3", "--to", "E3", stdin=ROOM)
    assert json.loads(out) == {"lurd": "dRR", "moves": 3}
    _, out, _ = run("paths", "-", "--json", "--box", "C3", stdin=ROOM)
    assert "E3" in json.loads(out)["targets"]


@pytest.mark.parametrize("square", ["", "3", "C", "C0", "C6", "H1", "３C", "AAAAAAAAAAAAAA1"])
def test_a_square_that_is_none_is_refused(run, square):
    code, out, err = run("paths", "-", f"--walk={square}", stdin=ROOM)
    assert (code, out) == (2, "")
    assert "A1 to G5" in err
