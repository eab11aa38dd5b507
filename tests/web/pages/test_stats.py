"""Statistics pages."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from contest.infra import clock
from contest.models import VisitorCount
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def solved(during_round):
    cast.enter_all(during_round, [("Ann", 500, 120), ("Bo", 498, 118), ("Cy", 499, 130)])
    return during_round


def test_every_chart_has_its_numbers_in_a_table(client, solved):
    text = client.get("/en/rounds/1/stats/").content.decode()
    assert text.count('class="chart ') == 5  # days; two distributions; two stairs
    for label in ("2026-11-04", "Best results of the players", "First to reach"):
        assert label in text


@pytest.fixture
def visited(settings):
    """Five weeks after the opening, with visitors in the last four."""
    settings.COUNT_VISITORS = True
    day = timezone.localdate(cast.OPENS + timedelta(days=25))
    VisitorCount.objects.bulk_create(
        VisitorCount(day=day, country=code, visitors=count) for code, count in {"CN": 4_321, "DE": 4, "ZZ": 9}.items()
    )
    with clock.set_to(cast.OPENS + timedelta(weeks=5)):
        yield


def test_visitors_are_shown_on_the_map_and_in_the_table(client, during_round, visited, settings):
    text = client.get("/en/stats/").content.decode()
    on_map = re.findall(r'<path class="(shade\d)" d="M[^"]+"><title>([^<]+)</title>', text)
    assert on_map == [("shade5", "China: 4,321"), ("shade1", "Germany: &lt;5")]
    cell = r'<th scope="row">\s*(?:<img[^>]*>)?\s*([^<]+?)\s*</th>\s*<td class="number">([^<]+)<'
    assert re.findall(cell, text)[-3:] == [("China", "4,321"), ("Germany", "&lt;5"), ("Unknown", "9")]
    settings.COUNT_VISITORS = False
    assert 'class="world"' not in client.get("/en/stats/").content.decode()


@pytest.mark.parametrize("page", ["stats", "history"])
def test_the_latest_round_is_listed_first(client, page, cache_of_its_own):
    for number in (2, 1, 3):
        cast.a_round(number, **cast.earlier(4 * (3 - number)))
    text = client.get(f"/en/{page}/").content.decode()
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    assert re.findall(r'<th scope="row">\s*<a href="[^"]+">Round (\d)</a>', table) == ["3", "2", "1"]
