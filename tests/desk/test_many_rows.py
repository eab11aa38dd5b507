from datetime import timedelta

import pytest

from contest import results
from contest.models import Season, Submission
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.budgets import asked
from tests.desk.conftest import DESK

pytestmark = [pytest.mark.django_db, pytest.mark.clock(cast.AFTER), pytest.mark.usefixtures("cache_of_its_own")]


def add_series(number: int) -> None:
    cast.a_series(cast.AFTER + timedelta(days=30 * number), f"Weekly {number}")


def add_season(number: int) -> None:
    span = {"begins_at": cast.OPENS - timedelta(days=number), "ends_at": cast.AFTER}
    cast.a_round(number, **cast.earlier(4 * number))
    Season.objects.create(slug=f"season-{number}", title_zh="赛季", title_en="Season", **span)


def add_revision(number: int) -> None:
    round_ = cast.a_round(number, **cast.earlier(4 * number))
    cast.enter_all(round_, [("Ann", 2, 1), ("Bo", 4, 1)])
    results.finalise(round_, at=cast.AFTER, by=None)
    sent = Submission.objects.get(round=round_, player__nickname="Ann")
    rulings.void(sent, Reason(en="Copied."), at=cast.AFTER, by=None)


@pytest.mark.parametrize(
    ("page", "add"),
    [(f"{DESK}series/", add_series), ("/en/seasons/", add_season), (f"{DESK}rounds/revise/", add_revision)],
    ids=["series", "seasons", "revisions"],
)
def test_more_rows_need_no_more_statements(organiser, page, add):
    counts = []
    for number in range(1, 4):
        add(number)
        organiser.get(page)  # what is compared once for each version of the boards
        counts.append(len(asked(organiser, page)))
    assert len(set(counts[1:])) == 1, counts
