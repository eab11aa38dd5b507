"""The list of accepted submissions; a cached list is up to date and contains nothing private."""

import pytest

from contest.models import Submission
from contest.web.pages import accepted
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("by", ["received", "moves"])
def test_each_page_continues_where_the_previous_one_ended(during_round, client, monkeypatch, by):
    """Rule 7.1; pages near the end are queried from the end."""
    monkeypatch.setattr(accepted, "PER_PAGE", 3)
    cast.enter_all(during_round, [("Ann", 30 - moves % 7, 3) for moves in range(11)])
    pages = [client.get(f"/en/rounds/1/submissions/?by={by}&page={page}").context["chosen"] for page in range(1, 5)]
    expected = Submission.objects.order_by(*accepted.ORDERS[by])
    assert [row.pk for page in pages for row in page] == [row.pk for row in expected]
