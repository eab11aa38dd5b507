"""No public list scans a large table: checked by PostgreSQL's query plans."""

import pytest
from django.db import connection

from contest import visibility
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db
ANYBODY = Viewer()


# Plan as if every table were large: use an index wherever possible.
BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off"


AT_ONCE = {
    "players": (visibility.players(ANYBODY, cast.DURING).order_by("pk")[:30], "contest_player_pkey", "hashed SubPlan"),
    "rounds with archives": (visibility.archived_rounds(ANYBODY, cast.DURING), "contest_round", "hashed SubPlan"),
    "submissions of all rounds": (
        visibility.counted_submissions(ANYBODY, cast.DURING)[:50], "Index Scan using submission_newest", "Sort"
    ),
}  # fmt: skip


@pytest.mark.postgres
@pytest.mark.parametrize(("rows", "plan", "other"), AT_ONCE.values(), ids=AT_ONCE)
def test_a_page_is_read_by_an_index_without_a_table_scan(rows, plan, other):
    with connection.cursor() as cursor:
        cursor.execute(BY_INDEX)
    found = rows.explain()
    assert plan in found
    assert other not in found
