import pytest

from contest.infra import bulk_update, clock
from contest.models import Submission
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(during_round):
    for name in ("player", "rival", "stranger"):
        cast.send(name, "rR")
    return list(Submission.objects.order_by("number"))


def test_many_rows_are_written_in_one_statement(rows, django_assert_num_queries):
    for place, row in enumerate(rows[:2]):
        row.index, row.why_values, row.lease_until = place, {"at": [place, "%s", None]}, clock.now()
    rows[1].lease_until = None
    with django_assert_num_queries(1):
        bulk_update.update(rows[:2], ["index", "why_values", "lease_until"])
    written = list(Submission.objects.order_by("number"))
    assert [(row.index, row.why_values, row.lease_until) for row in written] == [
        (0, {"at": [0, "%s", None]}, cast.DURING),
        (1, {"at": [1, "%s", None]}, None),
        (None, {}, None),
    ]


def test_writing_no_rows_asks_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        bulk_update.update([], ["index"])
