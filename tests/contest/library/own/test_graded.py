import pytest

from contest.library.own import graded
from contest.models import CollectedLevel, Collection
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.formats import Entry, read_file
from solvers.sokoban.moves import Moves
from tests import cast
from tests.solvers.shared_data import SHARED_DATA, needs_shared_data

LEVELS = graded.read()


def test_the_levels_have_five_grades_and_no_two_are_symmetric_copies():
    assert len(LEVELS) == graded.GRADES * graded.PER_GRADE == 120
    assert len({entry.level.key for entry in LEVELS}) == 120


def test_every_level_passes_the_check_with_both_of_its_solutions():
    moves = {entry.title: [Moves.parse(attempt.lurd) for attempt in entry.solutions] for entry in LEVELS}
    assert all(moves.values())
    assert [
        entry.title
        for entry in LEVELS
        for solution in moves[entry.title]
        if faults(entry.level, solution, title=entry.title, author=entry.author).errors
    ] == []


@pytest.mark.exhaustive
@needs_shared_data
def test_no_level_was_published_by_others():
    known = {
        parsed.level.key
        for path in (SHARED_DATA / "levels").iterdir()
        if path.suffix in (".xsb", ".sok")
        for parsed in read_file(path)
        if isinstance(parsed, Entry) and len(parsed.level.players) == 1
    }
    assert known
    assert known & {entry.level.key for entry in LEVELS} == set()


@pytest.mark.django_db
def test_a_fresh_site_publishes_the_levels_once():
    assert graded.publish(cast.OPENS) == 120
    assert graded.publish(cast.OPENS) == 0
    collection = Collection.objects.get()
    assert (collection.count, collection.path_length, collection.may_download) == (120, 20, True)
    last = CollectedLevel.objects.get(place=120)
    assert (last.grade, last.least_moves is not None) == (5, True)


@pytest.mark.exhaustive
def test_the_counts_are_optimal():
    """Every twelfth level's optimum is proved again; all were proved when the file was created."""
    from solvers.sokoban.solving.answers import Aim
    from solvers.sokoban.solving.exact import prove_exactly

    for entry in LEVELS[::12]:
        moves, pushes = (min(getattr(solution, name) for solution in entry.solutions) for name in ("moves", "pushes"))
        assert prove_exactly(entry.level, Aim.MOVES).moves == moves
        assert prove_exactly(entry.level, Aim.PUSHES).pushes == pushes
