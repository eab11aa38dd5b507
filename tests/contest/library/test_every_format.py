"""The site imports every format that the command `convert` writes, level by level: as a file and pasted."""

import pytest
from django.contrib.auth.models import User

from contest.levels import pasted
from contest.library import collection_import
from contest.models import Intake, IntakeLevel
from solvers.sokoban import Level
from solvers.sokoban.commands.converting import LINE_READERS, WRITERS
from solvers.sokoban.formats import Entry
from tests import cast, sizes

IN_FILES = sorted(set(WRITERS) - set(LINE_READERS))
COUNTS = [1, 67, 201, 500]


def levels_of(count: int) -> list[Level]:
    """Return corridors of twenty lengths."""
    walls = ("#" * (5 + at % 20) for at in range(count))
    return [Level.parse(f"{wall}|#@$.{'-' * (len(wall) - 5)}#|{wall}") for wall in walls]


def written(form: str, levels: list[Level]) -> str:
    return WRITERS[form]([Entry(number, 0, level) for number, level in enumerate(levels, 1)])


def taken_in(text: str) -> list[Level]:
    by = User.objects.create(username="organiser")
    collection_import.work_on(collection_import.start(text.encode(), "levels", at=cast.OPENS, by=by))
    assert Intake.objects.values_list("state", "unread").get() == (Intake.State.READ, 0)
    return [Level.parse(row.text) for row in IntakeLevel.objects.order_by("place")]


def each(forms):
    """Return each of *forms*, with only one of COUNTS in the short run."""
    return sizes.cases(
        [(form, COUNTS[place % 3]) for place, form in enumerate(forms)],
        [(form, count) for form in forms for count in COUNTS],
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("form", "count"), each(IN_FILES))
def test_any_number_of_levels_in_any_format_is_imported(form, count):
    assert taken_in(written(form, levels_of(count))) == levels_of(count)


@pytest.mark.parametrize(("form", "count"), each(["sokoplayer", *IN_FILES]))
def test_any_number_of_levels_in_any_format_is_pasted(form, count):
    brought = pasted.read(written(form, levels_of(count)))
    assert [Level.parse(found.text) for found in brought.found] == levels_of(count)
    assert brought.unread == ()


@pytest.mark.parametrize("form", LINE_READERS)
def test_a_format_known_only_by_its_file_name_is_read_after_conversion(form):
    read = [LINE_READERS[form](line) for line in written(form, levels_of(67)).splitlines()]
    assert read == levels_of(67)
