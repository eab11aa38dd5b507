"""The level of the day depends only on the date in Beijing and the public levels."""

from datetime import UTC, datetime, timedelta

import pytest

from contest.levels import daily
from contest.library.own import installing
from contest.models import OWN_SLUGS, CollectedLevel, Level
from tests import cast

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def closed(db):
    return [cast.a_round(number, **cast.earlier(3 * (4 - number))) for number in (1, 2, 3)]


def test_a_level_stays_for_its_day_and_repeats_after_all_others(closed):
    midnight = datetime(2026, 12, 1, 16, tzinfo=UTC)
    hours = {daily.of_day(midnight + timedelta(hours=hour)) for hour in range(24)}
    assert len(hours) == 1
    assert daily.of_day(midnight + DAY) not in hours
    found = [daily.of_day(cast.AFTER + (1 + day) * DAY) for day in range(12)]
    assert set(found[:6]) == set(Level.objects.all())
    assert found[6:] == found[:6]


def test_a_level_revealed_today_is_included_from_tomorrow(closed):
    cast.a_round(4, opens_at=cast.OPENS + DAY, closes_at=cast.CLOSES + DAY)
    before, after = cast.CLOSES + DAY - timedelta(hours=1), cast.CLOSES + DAY + timedelta(hours=1)
    assert daily.day(before) == daily.day(after)
    assert daily.of_day(before) == daily.of_day(after)
    turns = {daily.of_day(after + day * DAY) for day in range(1, 9)}
    assert {level.round.number for level in turns} == {1, 2, 3, 4}


def test_a_void_level_is_not_the_level_of_the_day(closed):
    """Rule 2.10."""
    at = cast.AFTER + DAY
    level = daily.of_day(at)
    Level.objects.filter(pk=level.pk).update(voided_at=at)
    assert daily.of_day(at) not in (None, level)


def test_without_a_revealed_round_it_is_a_public_level_that_comes_with_the_site():
    installing.install(cast.OPENS)
    found = {daily.of_day(cast.DURING + day * DAY) for day in range(5)}
    assert len(found) == 5
    assert {level.collection.slug for level in found} <= set(OWN_SLUGS)
    assert all(daily.is_of_day(level, cast.DURING) == (level == daily.of_day(cast.DURING)) for level in found)
    level = daily.of_day(cast.DURING)
    CollectedLevel.objects.filter(pk=level.pk).update(is_public=False)
    assert daily.of_day(cast.DURING) not in (None, level)
