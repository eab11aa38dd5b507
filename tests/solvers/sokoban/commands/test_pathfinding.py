import pytest

ROOM = "#######\n#@----#\n#-$-.-#\n#-----#\n#######\n"


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
    assert run("paths", "-", *arguments, stdin=ROOM) == answer
