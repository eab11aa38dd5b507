"""The site imports every format that the command `convert` writes, level by level."""

from itertools import product

import pytest
from django.contrib.auth.models import User

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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("form", "count"),
    sizes.cases([(form, COUNTS[place % 3]) for place, form in enumerate(IN_FILES)], product(IN_FILES, COUNTS)),
)
def test_any_number_of_levels_in_any_format_is_imported(form, count):
    assert taken_in(written(form, levels_of(count))) == levels_of(count)
