import io
import json
import sys
from unittest.mock import Mock

import pytest

from solvers import commandline
from solvers.errors import NotWhole


def answered(monkeypatch, capsys, answer, lines):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    code = commandline.answer_lines(answer, {"count": None})
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_refused_line_is_answered_in_its_place(monkeypatch, capsys):
    def answer(task):
        if task["n"] < 0:
            raise NotWhole(name="n", value=task["n"])
        return {"count": task["n"]}

    code, answers = answered(monkeypatch, capsys, answer, b'{"n": -1}\n7\n\n{"n": 3}\n{"n"\n')
    refused = {"count": None, "error": "not_whole", "message": "n must be a whole number, not -1."}
    unread = [
        {"count": None, "error": "bad_line", "message": f"Line {number} is not a JSON object."} for number in (2, 5)
    ]
    assert (code, answers) == (1, [refused, unread[0], {"count": 3}, unread[1]])


def test_without_standard_input_there_is_nothing_to_answer(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert commandline.answer_lines(dict, {}) == 0


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(28, "No space left on device"), "The output cannot be written: No space left on device."),
        (FileNotFoundError(2, "No such file", "cache"), "cache cannot be used: No such file."),
    ],
)
def test_a_failed_file_is_not_reported_as_the_output(capsys, monkeypatch, error, message):
    monkeypatch.setattr("os.dup2", lambda *_files: None)
    assert commandline.run_command(Mock(side_effect=error)) == commandline.UNREADABLE
    assert capsys.readouterr().err == message + "\n"


def test_an_iterator_is_written_as_an_array(capsys):
    for size in (0, 1, 1_000, 1_001, 2_000):
        commandline.write_object({"size": size, "items": iter(range(size)), "none": None})
        assert json.loads(capsys.readouterr().out) == {"size": size, "items": [*range(size)], "none": None}
