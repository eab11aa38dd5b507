import json

import pytest

from solvers.sokoban.batch import level_lines, replay_lines
from solvers.sokoban.reading.readers import Reader

BOARD = "#####\n#@$.#\n#####"


def replayed(*tasks, reader=Reader.RUN_LENGTH):
    return [json.loads(line) for line in replay_lines(map(json.dumps, tasks), reader)]


@pytest.mark.parametrize(
    ("xsb", "lurd", "expected"),
    [
        (BOARD, "rrr", ["solved", 1, 1, None, None, None, 2, True]),
        (BOARD, " d", ["illegal", 0, 0, 1, 1, "wall", 0, False]),
        (BOARD, "rx", ["malformed", 0, 0, 1, None, "foreign_character", 0, False]),
        ("####\n#@$#\n####", "r", ["bad_level", 0, 0, None, None, "boxes_goals", 0, False]),
    ],
)
def test_a_task_has_an_answer(xsb, lurd, expected):
    (answer,) = replayed({"xsb": xsb, "lurd": lurd})
    assert list(answer) == ["verdict", "moves", "pushes", "index", "step", "why", "cut", "case_corrected"]
    assert list(answer.values()) == expected


def test_the_reader_can_be_chosen():
    task = {"xsb": BOARD, "lurd": "→"}
    assert [replayed(task, reader=reader)[0]["verdict"] for reader in Reader] == ["malformed"] * 2 + ["solved"] * 3


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"xsb": 1, "lurd": "r"}', "[" * 100_000, "9" * 5_000])
def test_a_line_that_is_no_task_has_an_answer_too(line):
    good = json.dumps({"xsb": BOARD, "lurd": "r"})
    first, second = map(json.loads, replay_lines([line, "", good]))
    assert (first["verdict"], first["why"], "line 1" in first["error"]) == (None, "bad_line", True)
    assert second["verdict"] == "solved"


def test_levels_of_files_are_listed(tmp_path):
    path = tmp_path / "some.sok"
    path.write_text(f"推\n\n{BOARD}\nAuthor: A\n\nSolution\nr\n\nTwo\n\n####\n#@q#\n####\n\n####\n#@$#\n####", "utf-8")
    (packed := tmp_path / "some.zip").write_bytes(b"PK\x03\x04" + bytes(100))
    lines = list(level_lines([path, tmp_path / "none", "a\0b", packed]))
    assert all(line.isascii() for line in lines)
    first, unread, second, missing, nameless, binary = map(json.loads, lines)
    assert first == {
        "file": str(path), "number": 1, "line": 3, "title": "推", "author": "A", "xsb": BOARD, "width": 5, "height": 3,
        "boxes": 1, "goals": 1, "problems": [], "solutions": ["R"], "remarks": [],
    }  # fmt: skip
    assert (unread["number"], unread["title"], unread["xsb"], unread["error"]) == (2, "Two", None, "foreign_character")
    assert (second["number"], second["problems"]) == (3, ["boxes=1 goals=0"])
    assert (missing["xsb"], missing["error"], nameless["error"]) == (None, "not_found", "not_found")
    assert binary["error"] == "not_text"
