import pytest

from solvers.sokoban.commands.converting import LINE_READERS

CORRIDOR = "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("xsb", CORRIDOR),
        ("line", "#####|#@$.#|#####\n"),
        ("rle", "5#|#@$.#|5#\n"),
        ("mf8", "HHHHH|Ha$.H|HHHHH\n"),
        ("soko", "[soko=5,3]HHHHH|Ha$.H|HHHHH[/soko]\n"),
        ("compact", "5AHABDFAH5A\n"),
        ("sokoplayer", "http://sokoban.ws/sokoplayer/?w=5&h=3&lvl=HHHHH%7CHa$.H%7CHHHHH\n"),
        ("letslogic", "5 3 111111234111111\n"),
    ],
)
def test_a_level_is_written_in_every_format_and_read_back(run, form, text):
    assert run("convert", "--to", form, stdin=CORRIDOR) == (0, text, "")
    source = ["--from", form] if form in LINE_READERS else []
    assert run("convert", *source, stdin=text) == (0, CORRIDOR, "")


def test_the_output_may_be_a_file(run, levels, tmp_path):
    assert run("convert", levels, "--to", "sok", "-o", "out.txt") == (0, "", "")
    assert "Solution/Moves" in (tmp_path / "out.txt").read_text()
    assert run("convert", levels, "-o", "no/where.txt")[::2] == (
        2,
        "no/where.txt cannot be written: No such file or directory.\n",
    )


def test_unreadable_boards_are_reported_and_the_others_are_converted(run):
    code, out, err = run("convert", "--to", "rle", "--from", "compact", stdin="5AHABDFAH5A\nXYZ\n")
    assert (code, out) == (1, "5#|#@$.#|5#\n")
    assert err.startswith("standard input:2: 'X' is not")


@pytest.mark.parametrize("text", ["", "hello\n"])
def test_input_without_a_level_is_refused(run, text):
    assert run("convert", stdin=text)[0] == 2


@pytest.mark.parametrize("line", ["5 3", "x 3 111", "9999 1 1"])
def test_a_letslogic_line_needs_a_size(run, line):
    assert run("convert", "--from", "letslogic", stdin=line)[0] == 2
