"""The measuring tools of the benches."""

import pytest
from django.db import connection

from bench.site.filling import growing
from contest.models import ChainLink, Placing, Round, Submission, TreeNode


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the rows are made by PostgreSQL")
def test_years_of_rounds_are_created_with_all_related_rows(db):
    growing.fill(rounds=3, submissions=600)
    assert list(Round.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]
    assert Submission.objects.count() == ChainLink.objects.count() == 600
    assert TreeNode.objects.count() == 2
    assert set(Placing.objects.values_list("round__number", flat=True)) == {1, 2}
