import pytest

from solvers.sokoban.formats import read_collection
from solvers.sokoban.making.series import ladder, rooms


def test_a_level_is_rebuilt_from_moves(run):
    assert run("rebuild", "-m", "R") == (0, "#####\n#@$.#\n#####\n", "")
    assert run("rebuild", stdin="R\n")[1] == "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(("name", "number", "member"), [("ladder", 7, ladder(7)), ("rooms", 3, rooms(3))])
def test_a_member_is_written_as_a_level_with_its_solution(run, name, number, member):
    code, out, _ = run("series", name, str(number))
    (entry,) = read_collection(out).entries
    (solution,) = entry.solutions
    assert (code, entry.title) == (0, f"{name.capitalize()} {number}")
    assert (entry.level, solution.lurd) == (member.level, member.solution)
    assert solution.claimed == (member.moves, member.pushes)
