from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache

from contest import results
from contest.infra import clock
from contest.models import Best, Round
from contest.rankings import personal_bests
from tests import cast

pytestmark = pytest.mark.django_db
PAGE = "/en/history/"
BEIJING = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 7, 1, 20, tzinfo=BEIJING)


def create_final_round(number, closes_at, *entered):
    """Create a final round that its first player won."""
    round_ = cast.a_round(
        number, announced_at=closes_at - timedelta(days=9), opens_at=closes_at - timedelta(days=8), closes_at=closes_at
    )
    for rank, name in enumerate(entered):
        cast.enter(round_, name, 10 + 2 * rank, 3 + rank, at=closes_at - timedelta(days=2))
    with clock.set_to(closes_at + timedelta(days=3)):
        results.finalise(Round.objects.get(pk=round_.pk), at=closes_at + timedelta(days=3), by=None)
    return round_


@pytest.fixture
def now(cache_of_its_own):
    with clock.set_to(NOW):
        yield NOW


def figures(client):
    cache.clear()
    years = client.get(PAGE).context["years"]
    return {
        year["figures"].year: (len(year["figures"].rounds), year["figures"].players, year["figures"].newcomers)
        for year in years
    }


def test_each_year_has_its_rounds_players_and_newcomers(client, now):
    """A round belongs to the year of its close in Beijing."""
    create_final_round(1, datetime(2025, 3, 1, 20, tzinfo=BEIJING), "Ada", "Bo")
    create_final_round(2, datetime(2025, 6, 1, 20, tzinfo=BEIJING), "Ada", "Cy")
    create_final_round(3, datetime(2026, 1, 1, 0, 30, tzinfo=BEIJING), "Cy", "Dee")  # still 2025 in other time zones
    assert figures(client) == {2026: (1, 2, 1), 2025: (2, 3, 3)}


def test_champions_are_named_only_for_final_rounds(client, now):
    create_final_round(1, datetime(2025, 3, 1, 20, tzinfo=BEIJING), "Ada", "Bo")
    running = cast.a_round(2, opens_at=NOW - timedelta(days=1), closes_at=NOW + timedelta(days=1))
    cast.enter(running, "Cy", 4, 2, at=NOW)
    cache.clear()
    (this_year, last_year) = client.get(PAGE).context["years"]
    assert [champions for _line, champions in this_year["rounds"]] == [[]]
    ((line, champions),) = last_year["rounds"]
    assert (line.levels, [str(champion.player) for champion in champions]) == (2, ["Ada"])


def create_practice_result(round_, nickname, moves, pushes, at):
    entered = cast.enter(round_, nickname, moves, pushes, at=at)
    type(entered).objects.filter(pk=entered.pk).update(is_practice=True)
    Best.objects.filter(submission=entered).delete()
    personal_bests.recount([entered.level], [entered.player])


def test_a_record_is_broken_if_practice_beats_the_contest(client, now):
    """Rule 20.1."""
    round_ = create_final_round(1, datetime(2025, 3, 1, 20, tzinfo=BEIJING), "Ada", "Bo")  # 10 moves, 3 pushes

    def broken():
        cache.clear()
        ((year),) = client.get(PAGE).context["years"]
        return year["figures"].broken

    create_practice_result(round_, "Cy", 10, 3, NOW)
    assert broken() == 0  # equal, and later
    create_practice_result(round_, "Dee", 9, 4, NOW)
    assert broken() == 1
    create_practice_result(round_, "Eve", 12, 2, NOW)
    assert broken() == 2
    assert '<a href="/en/records/">Records broken since</a>' in client.get(PAGE).content.decode()


def test_the_year_lists_changes_of_the_rules(client, now):
    """Rule 17."""
    for number, settings in ((1, {}), (2, {"lucky": False}), (3, {"lucky": False}), (4, {"lucky": True})):
        new_round = create_final_round(number, datetime(2025, number, 1, 20, tzinfo=BEIJING), "Ada")
        Round.objects.filter(pk=new_round.pk).update(settings=settings)
    ((year),) = client.get(PAGE).context["years"]
    assert [(round_.number, changes) for round_, changes in year["formats"]] == [
        (2, [("Lucky draw", "yes", "no")]),
        (4, [("Lucky draw", "no", "yes")]),
    ]
