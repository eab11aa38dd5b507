import json

import pytest

from solvers.knights.__main__ import main
from tests.solvers.running import runner

run = runner(main)


def test_no_path_is_an_exit_code(run):
    assert run("3", "3", "0,0", "1,1") == (1, "No path.\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("8", "8"), "missing: the first square, the last square"),
        (("999", "999", "0,0", "--greedy"), "The greedy method is measured on at most 10,000 squares."),
    ],
)
def test_invalid_input_is_reported(run, arguments, words):
    code, out, err = run(*arguments)
    assert words in err
    assert (code, "Traceback" in out + err) == (2, False)


def test_with_json_an_error_is_an_object(run):
    code, out, err = run("0", "8", "0,0", "1,0", "--json")
    assert (code, json.loads(out)["error"], err) == (2, "no_squares", "")
