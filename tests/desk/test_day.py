"""The desk shows what the site did on a day."""

import re
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Outage, Player, VisitorCount
from contest.staff import audit_log
from tests import cast

pytestmark = pytest.mark.django_db
DAY = "/en/desk/day/"
TODAY = cast.DURING.date().isoformat()


def page(client, **query):
    with clock.set_to(cast.DURING):
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(DAY, query).content.decode()))


def test_the_page_counts_what_happened_on_the_day(organiser, during_round):
    cast.send("Ada", "rR")
    cast.send("Bao", "l")
    VisitorCount.objects.create(day=cast.DURING.date(), country="CN", visitors=41)
    Outage.objects.create(began_at=cast.DURING - timedelta(minutes=40), ended_at=cast.DURING - timedelta(minutes=30))
    with clock.set_to(cast.DURING):
        audit_log.record(None, "rename", Player.objects.get(nickname="Ada"), reason="At her request")
    shown = page(organiser)
    assert "Received 2 · API: 2" in shown
    assert "new nicknames 2" in shown
    assert "visitors 41" in shown
    assert "No submissions were accepted:" in shown
    assert "At her request" in shown


def test_each_day_is_separate_and_none_is_in_the_future(organiser, during_round):
    cast.send("Ada", "rR")
    opened = cast.OPENS.date().isoformat()
    VisitorCount.objects.create(day=cast.OPENS.date(), country="CN", visitors=4)
    assert "Round 1 opened" in page(organiser, date=opened)
    assert "visitors &lt;5" in page(organiser, date=opened)
    VisitorCount.objects.all().delete()
    assert "visitors –" in page(organiser, date=opened), "not counted, or added up by month"
    assert "Received 0" in page(organiser, date=opened)
    assert "The day after" in page(organiser, date=opened)
    for other in ("2999-01-01", "nonsense", TODAY):
        assert f"What the site did today {TODAY}" in page(organiser, date=other)
    assert "Received 0" in page(organiser, date="0001-01-01")


def test_a_draft_is_not_shown(organiser):
    cast.a_round(announced_at=None)
    assert "Round 1" not in page(organiser, date=cast.OPENS.date().isoformat())
