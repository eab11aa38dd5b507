"""What two devices found without a network meets on the site without loss or doubling, in whatever order it is sent."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contest.infra import clock
from contest.models import CollectedLevel, LevelResult, Metric, Player
from contest.submissions import Entry, at_once
from tests import cast

pytestmark = pytest.mark.django_db
# Ways to solve the corridor and the corner, the longer ones with steps to and fro.
SOLUTIONS = {
    1: [detour + "rR" for detour in ("", "rl", "rlrl")],
    2: [detour + cast.SOLUTIONS["extra"] for detour in ("", "rl")],
}
FOUND = st.sampled_from([(place, lurd) for place, lurds in SOLUTIONS.items() for lurd in lurds])


@given(phone=st.lists(FOUND, max_size=4), desk=st.lists(FOUND, max_size=4), again=st.data())
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_all_that_two_devices_found_is_there_once(levels, phone, desk, again):
    """Each sends what it has, some of it twice because no answer came; the two take turns in any way."""
    both = [*phone, *desk]
    twice = again.draw(st.lists(st.sampled_from(both), max_size=3)) if both else []
    sent = again.draw(st.permutations([*both, *twice]))
    with transaction.atomic():
        claim = cast.claim_of("Ann")
        for place, lurd in sent:
            at_once.accept_collected(Entry("Ann", lurd, claim=claim), levels[place])
        ann = Player.objects.get(nickname="Ann")
        for place, level in levels.items():
            found = {lurd for at, lurd in sent if at == place}
            rows = LevelResult.objects.filter(level=level, player=ann)
            assert sorted(rows.values_list("lurd", flat=True)) == sorted(found)
            level.refresh_from_db()
            assert level.solvers == bool(found)
            assert level.best_moves == min(map(len, found), default=None)
            for metric in Metric:
                assert rows.filter(**{f"is_best_by_{metric}": True}).count() == bool(found)
        transaction.set_rollback(True)


@pytest.fixture
def levels(db):
    """The levels by place, and Ann, who has proved her name elsewhere."""
    cast.a_collection("elsewhere")
    cast.a_collection()
    with clock.set_to(cast.AFTER):
        at_once.accept_collected(Entry("Ann", "rR"), CollectedLevel.objects.get(collection__slug="elsewhere", place=1))
        yield {level.place: level for level in CollectedLevel.objects.filter(collection__slug="corridors")}
