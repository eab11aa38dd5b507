import pytest

from solvers.games.__main__ import main
from tests.solvers.running import runner

run = runner(main)


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("kayles", "2"), "Grundy value 2: who is to move wins.\nnothing left\n"),
        (("subtraction", "--set", "2,3", "4"), "Grundy value 2: who is to move wins.\n1\n"),
        (("octal", "--code", "0.007", "--period"), "No period is proved by the values searched.\n"),
        (("nim", "2", "--misere", "--json"), '{"grundy": null, "wins": true, "moves": [[1]]}\n'),
    ],
)
def test_options_not_shown_in_the_docs_work(run, arguments, output):
    assert run(*arguments) == (0, output, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("go", "1"), "invalid choice: 'go'"),
        ((), "name a game, or --jsonl"),
        (("nim", "--period"), "--period is for kayles"),
        (("octal", "--period"), "The code of an octal game is"),
        (("subtraction", "--set", "x", "3"), "'x' is not a list of numbers"),
    ],
)
def test_invalid_input_is_reported(run, arguments, words):
    code, out, err = run(*arguments)
    assert words in err
    assert (code, out) == (2, "")
