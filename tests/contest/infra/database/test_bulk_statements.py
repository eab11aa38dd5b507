import pytest
from django.db import connection

from contest.infra.database import bulk_statements as bulk
from contest.models import Submission
from tests import cast

pytestmark = pytest.mark.django_db

FIELDS = ("number", "why", "index", "case_corrected", "why_values", "turned")


def test_a_single_statement_writes_values_of_every_kind_to_many_rows(during_round):
    rows = [cast.send(name, "rR").submission for name in ("player", "rival", "stranger")]
    values = [('擂台 "%s"', 7, True, {"at": [1, "%s", None]}, {"lurd": "rR"}), ("", None, False, {}, None)]
    lines = [
        dict(zip(FIELDS, (row.pk, *row_values), strict=True)) for row, row_values in zip(rows, values, strict=False)
    ]
    changes = bulk.changes(Submission, FIELDS[1:], "told")
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH told AS ({bulk.table({Submission: FIELDS})}) UPDATE contest_submission SET {changes} "
            "FROM told WHERE contest_submission.number = told.number",
            [bulk.lines(lines)],
        )
    assert list(Submission.objects.order_by("number").values_list(*FIELDS[1:])) == [*values, values[1]]
