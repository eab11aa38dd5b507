import pytest

from solvers.sokoban.checks.gate import faults, gives_away
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves

BOARD = "#####|#@$.#|#####"


def codes(board=BOARD, solution="r", **texts):
    texts = {"title": "One", "author": "Somebody", **texts}
    found = faults(Level.parse(board), Moves.parse(solution) if solution is not None else None, **texts)
    return [problem.code.value for problem in found.errors], [problem.code.value for problem in found.warnings]


@pytest.mark.parametrize(
    ("solution", "errors"), [("r", []), (None, ["no_solution"]), ("", ["no_solution"]), ("l", ["solution_fails"])]
)
def test_the_organisers_solution_must_solve(solution, errors):
    """Faults of boards are in gate.json."""
    assert codes(solution=solution) == (errors, [])


@pytest.mark.parametrize(
    ("title", "errors", "warnings"),
    [
        (" ", [], ["text_empty"]),
        ("a\u2028b", ["text_lines"], []),
        ("a" * 201, ["text_long"], []),
        ("a|b", [], ["text_bar"]),
    ],
)
def test_titles_and_authors_are_one_printable_line(title, errors, warnings):
    assert codes(title=title) == (errors, warnings)
    assert codes(author=title) == (errors, warnings)


LONG = Moves.parse("rrrrrrrrdlLLLLLL")


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("go rrrrrrrr now", True),
        ("go rrrr rrrd now", True),
        ("rrrrrrr", False),
        ("a dull word", False),
    ],
)
def test_a_text_with_eight_steps_of_the_solution_gives_it_away(text, leaks):
    assert gives_away(text, LONG) == leaks
    assert ("leak" in codes("#####|#@$.#|#####", "r" * 9, texts=[text])[0]) == (leaks and "rrrrrrrr" in text)
