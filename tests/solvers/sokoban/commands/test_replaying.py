import json

TASK = {"xsb": "#####|#@$.#|#####", "lurd": "R"}


def test_moves_and_the_level_come_from_files_or_standard_input(run, levels, tmp_path):
    assert run("replay", levels, "-m", "R") == (0, "Solved: 1 move, 1 push (1/1/1/1/1).\n", "")
    assert run("replay", levels, stdin=" r\n")[0] == 0
    (tmp_path / "moves.txt").write_text("2(r)")
    assert run("replay", levels, "moves.txt")[1].endswith(" 1 move after it not looked at.\n")


def test_many_at_once_come_from_standard_input_or_a_file(run, tmp_path):
    tasks = "\n".join([json.dumps({**TASK, "lurd": "1r"}), "", json.dumps({**TASK, "lurd": "l"})])
    code, out, _ = run("replay", "--jsonl", stdin=tasks)
    assert (code, [json.loads(line)["verdict"] for line in out.splitlines()]) == (0, ["solved", "illegal"])
    (tmp_path / "tasks.jsonl").write_text(tasks)
    _, out, _ = run("replay", "--jsonl", "tasks.jsonl", "--reader", "strict")
    assert [json.loads(line)["verdict"] for line in out.splitlines()] == ["malformed", "illegal"]
