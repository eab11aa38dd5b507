"""The command `paths`."""

import json

import pytest

ROOM = """
#######
#@----#
#-$-.-#
#-----#
#######
"""


def test_a_walk_is_given_as_letters(run):
    assert run("paths", "-", "--walk", "b4", stdin=ROOM) == (0, "dd\n", "")


def test_the_squares_are_named_that_a_box_can_be_pushed_to(run):
    code, out, _ = run("paths", "-", "--box", "C3", stdin=ROOM)
    assert code == 0
    assert {"C2", "C4", "B3", "E3", "F3"} <= set(out.split())


def test_the_way_to_push_a_box_is_given_as_letters(run):
    assert run("paths", "-", "--box", "C3", "--to", "E3", stdin=ROOM) == (0, "dRR\n", "")


def test_moves_can_be_played_first(run):
    assert run("paths", "-", "-m", "dR", "--box", "D3", "--to", "E3", stdin=ROOM) == (0, "R\n", "")


def test_no_way_has_exit_code_1(run):
    assert run("paths", "-", "--walk", "A1", stdin=ROOM) == (1, "There is no way.\n", "")
    assert run("paths", "-", "--box", "C3", "--to", "A1", stdin=ROOM)[0] == 1


def test_a_square_without_a_box_has_none_to_push(run):
    assert run("paths", "-", "--box", "B2", stdin=ROOM) == (2, "", "There is no box on B2.\n")


def test_a_box_that_cannot_be_pushed_is_said(run):
    assert run("paths", "-", "--box", "D2", stdin="#####\n#@.$#\n#####\n")[:2] == (1, "This box cannot be pushed.\n")


def test_answers_are_told_in_json(run):
    _, out, _ = run("paths", "-", "--json", "--box", "C3", "--to", "E3", stdin=ROOM)
    assert json.loads(out) == {"lurd": "dRR", "moves": 3}
    _, out, _ = run("paths", "-", "--json", "--box", "C3", stdin=ROOM)
    assert "E3" in json.loads(out)["targets"]


@pytest.mark.parametrize("square", ["", "3", "C", "C0", "C6", "H1", "３C", "AAAAAAAAAAAAAA1"])
def test_a_square_that_is_none_is_refused(run, square):
    code, out, err = run("paths", "-", f"--walk={square}", stdin=ROOM)
    assert (code, out) == (2, "")
    assert "A1 to G5" in err
