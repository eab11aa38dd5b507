import json
import os
import signal

import pytest

from solvers.sokoban.commands import asking
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving import loading, solver
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
    answers = [(line["answer"], line["lurd"], line["pushes"], line["limit"]) for line in found]
    assert answers == [("solved", "R", 1, None), ("solved", "RR", 2, None)]


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


def test_a_proof_is_written_as_a_certificate(run, ladder_file, tmp_path):
    code, out, _ = run("prove", ladder_file, "--certificate", "proof.xz", "--jsonl")
    (line,) = lines(out)
    assert (code, line["optimal"], line["certificate"]) == (0, "pushes", "proof.xz")
    assert "fewer than 34 pushes" in check_certificate.check(str(tmp_path / "proof.xz"), str(tmp_path / ladder_file))


def test_without_a_proof_or_room_there_is_no_certificate(run, levels, ladder_file, tmp_path, monkeypatch):
    assert run("prove", ladder_file, "--certificate", "proof.xz", "--nodes", "20")[0] == 1
    monkeypatch.setattr(writing, "_MOST_CELLS", 10)
    code, out, _ = run("prove", ladder_file, "--certificate", "proof.xz", "--jsonl")
    (line,) = lines(out)
    assert (code, line["optimal"], line["certificate"]) == (3, "pushes", None)
    assert run("prove", levels, "--certificate", "proof.xz")[0] == 2
    assert not (tmp_path / "proof.xz").exists()


def test_unplayable_boards_get_an_error_line_and_the_others_are_solved(run):
    text = "One\n\n#####\n#@$-#\n#####\n\nTwo\n\n#####\n#@$.#\n#####\n"
    code, out, _ = run("solve", "-", "--jsonl", stdin=text)
    first, second = lines(out)
    assert (code, first["answer"], first["limit"], second["answer"]) == (1, "unknown", "bad_level", "solved")
    assert "boxes=1 goals=0" in first["error"]


@pytest.mark.parametrize(("seconds", "verbs"), [(2.0, ["solve_small"]), (0.0, ["solve_small", "solve"])])
def test_searches_are_compiled_only_after_the_greedy_search_has_failed(run, levels, monkeypatch, seconds, verbs):
    compiled = []
    monkeypatch.setattr(asking, "load_kernels", compiled.append)
    monkeypatch.setattr(loading, "missing_stages", lambda _verb: {"search by plan": None})
    monkeypatch.setattr(solver, "solve_easy", lambda *_: None)
    monkeypatch.setattr(solver, "_SMALL", seconds)
    code, out, _ = run("solve", levels, "--number", "2", "--jsonl")
    assert (code, lines(out)[0]["lurd"], compiled) == (0, "RR", verbs)


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
    stretches = [(stretch["start"], stretch["stop"], stretch["moves"]) for stretch in line["stretches"]]
    assert stretches == [(0, 2, 2), (4, 6, 2)]
