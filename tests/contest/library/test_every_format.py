"""Whatever the command `convert` writes, the site takes in, level for level: as a file, and pasted on the desk."""

import pytest

from contest.levels import pasted
from contest.library import collection_import
from contest.models import Intake, IntakeLevel
from solvers.sokoban import Level
from solvers.sokoban.commands.converting import LINE_READERS, WRITERS
from solvers.sokoban.formats import Entry
from tests import cast
from tests.desk.conftest import member
from tests.solvers.sokoban.commands.test_converting import closed_levels


def written(form: str, levels: list[Level]) -> str:
    return WRITERS[form]([Entry(number, 0, level) for number, level in enumerate(levels, 1)])


def taken_in(text: str) -> list[Level]:
    intake = collection_import.start(text.encode(), "levels", at=cast.OPENS, by=member("organiser"))
    collection_import.work_on(intake)
    assert Intake.objects.values_list("state", "unread").get() == (Intake.State.READ, 0)
    return [Level.parse(row.text) for row in IntakeLevel.objects.order_by("place")]


@pytest.mark.django_db
@pytest.mark.parametrize("form", sorted(set(WRITERS) - set(LINE_READERS)))
@pytest.mark.parametrize("count", [1, 67, 201, 500])
def test_any_number_of_levels_in_any_format_is_taken_in(form, count):
    levels = closed_levels(count)
    assert taken_in(written(form, levels)) == levels


@pytest.mark.parametrize("form", ["sokoplayer", *sorted(set(WRITERS) - set(LINE_READERS))])
@pytest.mark.parametrize("count", [1, 67, 500])
def test_any_number_of_levels_in_any_format_is_pasted(form, count):
    levels = closed_levels(count)
    brought = pasted.read(written(form, levels))
    assert [Level.parse(found.text) for found in brought.found] == levels
    assert brought.unread == ()


@pytest.mark.django_db
@pytest.mark.parametrize("form", LINE_READERS)
@pytest.mark.parametrize("count", [1, 67, 500])
def test_lines_that_only_their_name_tells_are_taken_in_once_converted(form, count):
    levels = closed_levels(count)
    read = [LINE_READERS[form](line) for line in written(form, levels).splitlines()]
    assert taken_in(written("xsb", read)) == levels
