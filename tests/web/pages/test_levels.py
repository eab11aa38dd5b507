"""The page of levels to play on any day, and the level of the day on it, on the front page and in the player."""

import json
import re
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.levels import daily
from tests import cast

pytestmark = pytest.mark.django_db
NOW = cast.AFTER + timedelta(days=1)


@pytest.fixture(autouse=True)
def _after(db):
    with clock.set_to(NOW):
        yield


@pytest.fixture
def closed_round(db):
    """A closed round: Ann and Bo solved main, Ann with fewest moves; Bo alone solved extra."""
    round_ = cast.a_round()
    round_.levels.filter(slot="extra").update(boxes=2)
    cast.enter(round_, "Ann", 10, 5, at=cast.DURING)
    cast.enter(round_, "Bo", 12, 4, at=cast.DURING)
    cast.enter(round_, "Bo", 30, 8, slot="extra", at=cast.DURING)
    return round_


def test_every_filter_works_without_a_script(closed_round):
    ann, main, extra = cast.browser_of("Ann"), "main of 1", "extra of 1"
    for query, listed in {
        "": [main, extra],
        "show=new": [extra],
        "show=better&boxes_to=1": [main],
        "boxes_from=2": [extra],
        "size=8&q=author": [main, extra],
        "q=nobody": [],
        "by=least": [extra, main],
    }.items():
        answer = ann.get(f"/en/levels/?{query}")
        assert answer.status_code == 200
        assert [tile.level.title for tile in answer.context["tiles"]] == listed, query


def test_the_daily_level_is_on_the_list_and_the_home_page(client, closed_round):
    chosen = daily.of_day(NOW)
    for page in ("/en/levels/", "/en/"):
        text = client.get(page).text
        card = text[text.index("data-daily") :][:1200]
        assert f"/en/rounds/1/{chosen.slot}/play/" in card
        assert 'data-day="2026-11-23"' in card
    for slot in ("main", "extra"):
        text = client.get(f"/en/rounds/1/{slot}/play/").text
        facts = json.loads(re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", text, re.DOTALL)[1])
        assert facts["daily"] == ("2026-11-23" if slot == chosen.slot else "")
