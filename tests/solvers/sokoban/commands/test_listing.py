"""The commands `levels` and `check`."""

import json

import pytest

OPEN = "####\n#@$.\n####\n"


def test_levels_are_listed_with_file_line_size_and_title(run, levels):
    assert run("levels", levels) == (
        0,
        "two.xsb:4: 1. Corridor (5x3, 1 box, by Somebody)\ntwo.xsb:10: 2. Bend (6x3, 1 box, by Somebody, 1 solution)\n",
        "",
    )


def test_levels_are_listed_in_json_for_programs(run, levels):
    code, out, _ = run("levels", "--jsonl", levels)
    first, second = map(json.loads, out.splitlines())
    assert (code, first["title"], second["solutions"]) == (0, "Corridor", ["RR"])


def test_a_board_that_cannot_be_read_is_listed_too(run, tmp_path):
    (tmp_path / "bad.xsb").write_text("#####\n#@x.#\n#####\n")
    code, out, _ = run("levels", "bad.xsb")
    assert code == 1
    assert "'x'" in out
    assert run("levels", "--jsonl", "bad.xsb")[0] == 1


def test_a_missing_file_has_exit_code_2_in_both_forms(run):
    assert run("levels", "nowhere.xsb") == (2, "", "nowhere.xsb cannot be read: No such file or directory.\n")
    code, out, _ = run("levels", "--jsonl", "nowhere.xsb")
    assert (code, json.loads(out)["error"]) == (2, "not_found")


@pytest.mark.parametrize(
    ("name", "why"), [(".", "Is a directory"), ("\udcff.xsb", "No such file or directory")], ids=["folder", "bytes"]
)
def test_what_is_no_file_is_refused_in_words(run, name, why):
    code, out, err = run("levels", name)
    assert (code, out, err.count("\n"), why in err) == (2, "", 1, True)


def test_without_a_command_it_says_how_it_is_used(run):
    code, _, err = run()
    assert (code, err.startswith("usage: python -m solvers.sokoban")) == (2, True)


def test_what_is_fine_is_called_fine(run, levels):
    assert run("check", levels) == (0, "two.xsb:4: 1. Corridor: fine\ntwo.xsb:10: 2. Bend: fine\n", "")


def test_what_is_wrong_with_a_level_is_said(run):
    assert run("check", "-", stdin=OPEN) == (1, "standard input:1: 1.: open\n", "")


def test_moves_under_a_level_that_are_impossible_are_said(run):
    code, out, _ = run("check", "-", stdin="#####\n#@$.#\n#####\n\nSolution\nllll\n")
    assert code == 1
    assert "the moves in line 6 are no solution: move 1, wall" in out


def test_a_contest_asks_for_more(run, levels):
    code, out, _ = run("check", "--contest", levels)
    assert code == 1
    assert "Corridor: no solution" in out


def test_checks_are_told_in_json(run):
    code, out, _ = run("check", "--json", "-", stdin=OPEN)
    assert (code, json.loads(out)["errors"]) == (1, ["open"])


def test_a_file_without_levels_is_refused(run):
    assert run("check", "-", stdin="Hello\n") == (2, "", "There is no level in standard input.\n")


def test_a_program_is_no_text(run):
    assert run("levels", "-", stdin=b"\x7fELF\x01\x02\x00\x00") == (2, "", "This is not a text file.\n")
