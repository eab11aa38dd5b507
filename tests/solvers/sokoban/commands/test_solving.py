import json
import os
import signal

import pytest

from solvers.sokoban.commands import asking
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.certificates import check_certificate, writing

FIELDS = [
    "file", "number", "title", "answer", "lurd", "moves", "pushes", "optimal", "lower_bound_pushes",
    "lower_bound_moves", "nodes", "cpu_seconds", "limit",
]  # fmt: skip
LOST = "#####\n#$--#\n#-@.#\n#####\n"


def lines(out):
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def ladder_file(tmp_path):
    (tmp_path / "ladder.sok").write_text(f"Title: Ladder\n\n{ladder(5).level}\n\nSolution\n{ladder(5).solution}\n")
    return "ladder.sok"


def test_every_level_gets_one_line_with_the_fields_agreed(run, levels):
    code, out, err = run("solve", levels, "--jsonl")
    found = lines(out)
    assert (code, err, [line["title"] for line in found]) == (0, "", ["Corridor", "Bend"])
    assert all(list(line) == FIELDS for line in found)
    assert [(line["answer"], line["lurd"], line["pushes"], line["limit"]) for line in found] == [
        ("solved", "R", 1, None),
        ("solved", "RR", 2, None),
    ]


@pytest.mark.parametrize("aim", ["pushes", "moves"])
def test_proofs_name_what_is_proved(run, ladder_file, aim):
    code, out, _ = run("prove", ladder_file, "--aim", aim, "--jsonl")
    (line,) = lines(out)
    assert (code, line["optimal"], line["moves"], line["pushes"]) == (0, aim, 106, 34)
    assert line[f"lower_bound_{aim}"] == line[aim]


def test_a_level_without_solution_is_proved_so(run):
    code, out, _ = run("prove", "-", "--jsonl", stdin=LOST)
    (line,) = lines(out)
    assert (code, line["answer"], line["lurd"], line["optimal"]) == (1, "unsolvable", None, None)
    assert "proved unsolvable" in run("solve", "-", stdin=LOST)[1]


def test_a_proof_is_written_as_a_certificate(run, ladder_file, tmp_path):
    code, out, _ = run("prove", ladder_file, "--certificate", "proof.xz", "--jsonl")
    (line,) = lines(out)
    assert (code, line["optimal"], line["certificate"]) == (0, "pushes", "proof.xz")
    assert "fewer than 34 pushes" in check_certificate.check(str(tmp_path / "proof.xz"), str(tmp_path / ladder_file))
    (tmp_path / "lost.xsb").write_text(LOST)
    code, out, _ = run("prove", "lost.xsb", "--certificate", "lost.xz")
    assert (code, out.splitlines()[1]) == (1, "Certificate written: lost.xz")
    assert "no solution" in check_certificate.check(str(tmp_path / "lost.xz"), str(tmp_path / "lost.xsb"))


def test_without_a_proof_or_room_there_is_no_certificate(run, levels, ladder_file, tmp_path, monkeypatch):
    code, out, _ = run("prove", ladder_file, "--certificate", "proof.xz", "--nodes", "20")
    assert (code, out.splitlines()[-1]) == (1, "No certificate: nothing is proved.")
    monkeypatch.setattr(writing, "_MOST_CELLS", 10)
    code, out, _ = run("prove", ladder_file, "--certificate", "proof.xz", "--jsonl")
    (line,) = lines(out)
    assert (code, line["optimal"], line["certificate"]) == (3, "pushes", None)
    assert line["no_certificate"] == "the board has more than 10 cells"
    assert run("prove", levels, "--certificate", "proof.xz")[::2] == (
        2, "A certificate is about one level: --number N takes one of them.\n"
    )  # fmt: skip
    assert not (tmp_path / "proof.xz").exists()


def test_unplayable_boards_get_an_error_line_and_the_others_are_solved(run):
    text = "One\n\n#####\n#@$-#\n#####\n\nTwo\n\n#####\n#@$.#\n#####\n"
    code, out, _ = run("solve", "-", "--jsonl", stdin=text)
    first, second = lines(out)
    assert (code, first["answer"], first["limit"], second["answer"]) == (1, "unknown", "bad_level", "solved")
    assert "boxes=1 goals=0" in first["error"]


def test_a_given_solution_is_improved_and_levels_without_one_are_reported(run, levels):
    board = "######\n#@$-.#\n#----#\n######\n"
    code, out, _ = run("optimize", "-", "-m", "duRR", "--jsonl", stdin=board)
    (line,) = lines(out)
    assert (code, line["lurd"], line["optimal"]) == (0, "RR", "pushes")
    without, bettered = lines(run("optimize", levels, "--aim", "moves", "--jsonl")[1])
    assert (without["limit"], bettered["lurd"], bettered["optimal"]) == ("no_solution", "RR", "moves")


def test_ctrl_c_prints_the_best_so_far(run, ladder_file, monkeypatch):
    asked = asking.ask

    def pressed(question, **options):
        os.kill(os.getpid(), signal.SIGINT)
        return asked(question, **options)

    monkeypatch.setattr(asking, "ask", pressed)
    code, out, _ = run("optimize", ladder_file, "--jsonl")
    (line,) = lines(out)
    assert (code, line["answer"], line["pushes"]) == (130, "solved", 34)


def test_several_processes_answer_in_order(run, levels):
    one, two = run("solve", levels, "--jsonl"), run("solve", levels, "--jsonl", "--jobs", "2")
    assert [line["lurd"] for line in lines(two[1])] == [line["lurd"] for line in lines(one[1])] == ["R", "RR"]


def test_the_coach_lists_where_moves_are_lost_and_what_is_better(run):
    board = "#######\n#-----#\n#@-$-.#\n#-----#\n#######\n"
    code, out, _ = run("coach", "-", "-m", "udrRlrR", "--json", stdin=board)
    (line,) = lines(out)
    assert (code, line["lurd"], list(line)) == (0, "rRR", [*FIELDS, "stretches"])
    assert line["stretches"] == [
        {"start": 0, "stop": 2, "first_push": 0, "last_push": 0, "moves": 2, "pushes": 0, "lurd": ""},
        {"start": 4, "stop": 6, "first_push": 1, "last_push": 1, "moves": 2, "pushes": 0, "lurd": ""},
    ]
    text = run("coach", "-", "-m", "udrRlrR", stdin=board)[1]
    assert "no solution has fewer moves" in text
    assert text.endswith("\nWalk before push 2: 2 moves and 0 pushes lost; better: no step\n")
    assert run("coach", "-", "-m", "rRR", stdin=board)[1].endswith("\nNothing better was found.\n")
