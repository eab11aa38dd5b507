from dataclasses import asdict

import pytest

from contest.library.own import course, graded
from contest.management.demo.making import OwnLevel
from contest.management.demo.making_course import TEACHES, Candidate
from solvers.sokoban.checks.gate import faults
from solvers.sokoban.formats import Entry, read_file
from solvers.sokoban.making.techniques import facts
from solvers.sokoban.moves import Moves
from tests import sizes
from tests.solvers.shared_data import SHARED_DATA, needs_shared_data

LESSONS = course.read()


def test_each_theme_has_its_named_levels_and_no_two_are_symmetric_copies():
    assert [lesson.theme.name for lesson in LESSONS] == [
        theme.name for theme in course.THEMES for _title in theme.levels
    ]
    assert len({lesson.title for lesson in LESSONS}) == len({lesson.level.key for lesson in LESSONS}) == len(LESSONS)


def test_every_level_passes_the_check_with_both_of_its_solutions():
    for lesson in LESSONS:
        for solution in (lesson.by_moves, lesson.by_pushes):
            found = faults(lesson.level, Moves.parse(solution), title=lesson.title, author=graded.AUTHOR)
            assert not found.errors, lesson.title


def test_every_level_cannot_be_solved_without_the_technique_of_its_theme():
    """By its stored facts, which the next test proves."""
    for lesson in LESSONS:
        own = OwnLevel(lesson.level, lesson.by_moves, lesson.by_pushes, 0)
        assert TEACHES[lesson.theme.name](Candidate(own, lesson.facts)), lesson.title


@pytest.mark.parametrize("lesson", sizes.cases(sorted(LESSONS, key=lambda lesson: lesson.level.sha256)[::9], LESSONS))
def test_the_facts_of_a_level_are_proved_again(lesson):
    assert asdict(facts(lesson.level)) == asdict(lesson.facts)


@pytest.mark.exhaustive
@pytest.mark.parametrize("lesson", LESSONS)
def test_the_counts_of_every_level_are_optimal(lesson):
    from solvers.sokoban.solving.answers import Aim
    from solvers.sokoban.solving.exact import prove_exactly

    assert prove_exactly(lesson.level, Aim.MOVES).moves == lesson.moves
    assert prove_exactly(lesson.level, Aim.PUSHES).pushes == lesson.pushes


LEVELS = graded.read()


def test_the_levels_have_five_grades_and_no_two_are_symmetric_copies():
    assert len(LEVELS) == graded.GRADES * graded.PER_GRADE == 120
    assert len({entry.level.key for entry in LEVELS}) == 120


def test_every_graded_level_passes_the_check_with_both_of_its_solutions():
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


@pytest.mark.exhaustive
def test_the_counts_are_optimal():
    """Every twelfth level's optimum is proved again; all were proved when the file was created."""
    from solvers.sokoban.solving.answers import Aim
    from solvers.sokoban.solving.exact import prove_exactly

    for entry in LEVELS[::12]:
        moves, pushes = (min(getattr(solution, name) for solution in entry.solutions) for name in ("moves", "pushes"))
        assert prove_exactly(entry.level, Aim.MOVES).moves == moves
        assert prove_exactly(entry.level, Aim.PUSHES).pushes == pushes
