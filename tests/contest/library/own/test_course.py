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

LESSONS, LEVELS = course.read(), graded.read()


def test_each_theme_has_its_named_levels_and_no_two_are_symmetric_copies():
    assert [lesson.theme.name for lesson in LESSONS] == [
        theme.name for theme in course.THEMES for _title in theme.levels
    ]
    assert len({lesson.title for lesson in LESSONS}) == len({lesson.level.key for lesson in LESSONS}) == len(LESSONS)


def test_every_level_passes_the_check_with_all_of_its_solutions():
    lessons = ((lesson, graded.AUTHOR, [lesson.by_moves, lesson.by_pushes]) for lesson in LESSONS)
    entries = ((entry, entry.author, [attempt.lurd for attempt in entry.solutions]) for entry in LEVELS)
    for own, author, solutions in (*lessons, *entries):
        assert solutions, own.title
        for lurd in solutions:
            assert not faults(own.level, Moves.parse(lurd), title=own.title, author=author).errors, own.title


def test_every_level_cannot_be_solved_without_the_technique_of_its_theme():
    """By its stored facts, which the next test proves."""
    for lesson in LESSONS:
        own = OwnLevel(lesson.level, lesson.by_moves, lesson.by_pushes, 0)
        assert TEACHES[lesson.theme.name](Candidate(own, lesson.facts)), lesson.title


@pytest.mark.parametrize("lesson", sizes.cases(sorted(LESSONS, key=lambda lesson: lesson.level.sha256)[::9], LESSONS))
def test_the_facts_of_a_level_are_proved_again(lesson):
    assert asdict(facts(lesson.level)) == asdict(lesson.facts)


def test_the_levels_have_five_grades_and_no_two_are_symmetric_copies():
    assert len(LEVELS) == graded.GRADES * graded.PER_GRADE == 120
    assert len({entry.level.key for entry in LEVELS}) == 120


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
@pytest.mark.parametrize("own", [*LESSONS, *LEVELS[::12]])
def test_the_counts_are_optimal(own):
    """Every twelfth graded level's optimum is proved again; all were proved when the file was created."""
    from solvers.sokoban.solving.answers import Aim
    from solvers.sokoban.solving.exact import prove_exactly

    solutions = getattr(own, "solutions", [own])
    moves, pushes = (min(getattr(solution, name) for solution in solutions) for name in ("moves", "pushes"))
    assert prove_exactly(own.level, Aim.MOVES).moves == moves
    assert prove_exactly(own.level, Aim.PUSHES).pushes == pushes
