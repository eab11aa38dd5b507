import pytest

from solvers.sokoban.commands.converting import LINE_READERS

CORRIDOR = "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("xsb", CORRIDOR),
        ("compact", "5AHABDFAH5A\n"),
        ("letslogic", "5 3 111111234111111\n"),
    ],
)
def test_a_level_is_written_in_a_format_and_read_back(run, form, text):
    assert run("convert", "--to", form, stdin=CORRIDOR) == (0, text, "")
    source = ["--from", form] if form in LINE_READERS else []
    assert run("convert", *source, stdin=text) == (0, CORRIDOR, "")


def test_unreadable_boards_are_reported_and_the_others_are_converted(run):
    code, out, err = run("convert", "--to", "rle", "--from", "compact", stdin="5AHABDFAH5A\nXYZ\n")
    assert (code, out) == (1, "5#|#@$.#|5#\n")
    assert err.startswith("standard input:2: 'X' is not")
