import pytest

from solvers.games.__main__ import main
from tests.solvers.running import runner

run = runner(main)


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("subtraction", "--set", "2,3", "4"), "Grundy value 2: who is to move wins.\n1\n"),
        (("nim", "2", "--misere", "--json"), '{"grundy": null, "wins": true, "moves": [[1]]}\n'),
    ],
)
def test_options_not_shown_in_the_docs_work(run, arguments, output):
    assert run(*arguments) == (0, output, "")
