"""Test cases shared with the player's JavaScript: see tests/data/README.md."""

import pytest

from solvers.errors import BadLevel, PuzzleError
from solvers.sokoban import Level, Moves, replay
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.formats import compact, mf8, sokoplayer, xsb
from solvers.sokoban.formats.single import read_one
from solvers.sokoban.level import BOX, WALL
from solvers.sokoban.paths import Fewest, push_paths
from solvers.sokoban.position import Position
from solvers.sokoban.problems import Fault
from solvers.sokoban.reading.readers import Reader, judge
from tests.solvers.vectors import cases, refused

LEVEL_READERS = {
    "xsb": Level.parse,
    "mf8": lambda text: read_one(text).level,
    "compact": compact.parse,
    "sokoplayer": lambda text: sokoplayer.parse(text).level,
}

LEVEL_FACTS = {
    "published": lambda level: level.published_text,
    "width": lambda level: level.width,
    "height": lambda level: level.height,
    "players": lambda level: list(level.players),
    "boxes": lambda level: list(level.boxes),
    "goals": lambda level: list(level.goals),
    "problems": lambda level: {problem.code: problem.values for problem in level.problems},
    "canonical": lambda level: level.canonical_form,
    "level_key": lambda level: level.key,
    "level_sha256": lambda level: level.sha256,
    "run_length": xsb.run_length,
    "mf8": mf8.write,
    "compact": compact.write,
    "sokoplayer": lambda level: sokoplayer.write(level, address="").removeprefix("?"),
}


@cases("levels")
def test_level(case):
    reader = LEVEL_READERS[case.get("reader", "xsb")]
    if "error" in case:
        with refused(case["error"]):
            reader(case["text"])
        return
    level = reader(case["text"])
    for fact in LEVEL_FACTS.keys() & case.keys():
        assert LEVEL_FACTS[fact](level) == case[fact], fact


@cases("gate")
def test_gate(case):
    """Rule 2.7."""
    found = faults(Level.parse(case["text"]), None)
    not_of_the_board = {Fault.NO_SOLUTION, Fault.TEXT_EMPTY}
    messages = [
        [[problem.code, list(problem.cells)] for problem in problems if problem.code not in not_of_the_board]
        for problems in found
    ]
    assert messages == [case["errors"], case["warnings"]]


@cases("moves")
@pytest.mark.parametrize("reader", ["strict", "run_length"])
def test_moves(case, reader):
    expected = case.get(reader, case["strict"])
    if "error" not in expected:
        assert Moves.parse(case["text"], run_length=reader == "run_length").steps == expected["steps"]
        return
    with pytest.raises(PuzzleError) as caught:
        Moves.parse(case["text"], run_length=reader == "run_length")
    assert (caught.value.code, caught.value.index) == (expected["error"], expected.get("index"))
    for name in expected.keys() - {"error", "index"}:
        assert caught.value.values[name] == expected[name]


@cases("replays")
def test_replay(case):
    """Rules 6.2 to 6.6."""
    level, moves = Level.parse(case["level"]), Moves.parse(case["moves"])
    if "error" in case:
        with pytest.raises(BadLevel) as caught:
            replay(level, moves)
        assert caught.value.values["problem"].code == case["problem"]
        return
    result = replay(level, moves)
    for field, value in case["expected"].items():
        assert getattr(result, field) == value, field


@cases("readings")
def test_reading(case):
    level = Level.parse(case["level"])
    outcomes: dict[str, str] = {
        "strict": judge(level, case["text"], Reader.STRICT).outcome,
        "run_length": judge(level, case["text"], Reader.RUN_LENGTH).outcome,
    }
    lenient = judge(level, case["text"], Reader.LENIENT)
    outcomes["lenient"] = lenient.why if lenient.why in ("reverse_mode", "several_pushers") else lenient.outcome
    assert outcomes == {name: case[name] for name in outcomes}


@cases("paths")
def test_paths(case):
    level = Level.parse("|".join(case["board"]))
    start = Position.start(level)
    by_moves = push_paths(level, start, case["box"], fewest=Fewest.MOVES)
    by_pushes = push_paths(level, start, case["box"], fewest=Fewest.PUSHES)
    assert picture(level, {cell: len(by_moves.to(cell)) for cell in by_moves.targets}) == case["fewest_moves"]["moves"]
    assert picture(level, {cell: by_moves.pushes(cell) for cell in by_moves.targets}) == case["fewest_moves"]["pushes"]
    assert (
        picture(level, {cell: by_pushes.pushes(cell) for cell in by_pushes.targets}) == case["fewest_pushes"]["pushes"]
    )


def picture(level: Level, numbers: dict[int, int]) -> list[str]:
    glyphs = ["#" if cell & WALL else "$" if cell & BOX else "-" for cell in level.cells]
    for cell, number in numbers.items():
        glyphs[cell] = "0123456789abcdefghijklmnopqrstuvwxyz"[number]
    return ["".join(glyphs[at : at + level.width]) for at in range(0, len(glyphs), level.width)]
