import json
import re
from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.levels import daily
from contest.models import Player, Submission
from contest.rankings import personal_bests
from tests import cast

pytestmark = pytest.mark.django_db
NOW = cast.AFTER + timedelta(days=1)


@pytest.fixture(autouse=True)
def _after(db):
    with clock.set_to(NOW):
        yield


@pytest.fixture
def closed_round(db):
    round_ = cast.a_round()
    round_.levels.filter(slot="extra").update(boxes=2)
    cast.enter(round_, "Ann", 10, 5, at=cast.DURING)
    cast.enter(round_, "Bo", 12, 4, at=cast.DURING)
    cast.enter(round_, "Bo", 30, 8, slot="extra", at=cast.DURING)
    return round_


def titles(answer) -> list[str]:
    return [tile.level.title for tile in answer.context["tiles"]]


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
        assert (answer.status_code, titles(answer)) == (200, listed), query


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


PAGES = ["moves", "pushes", "pareto"]
# Nickname, moves, pushes; one minute apart.
RESULTS = [("Ann", 500, 120), ("Cy", 510, 110), ("Bo", 500, 118), ("Dee", 500, 118)]


@pytest.fixture
def level(during_round):
    cast.enter_all(during_round, RESULTS)
    return during_round.levels.get(slot="main")


@pytest.fixture
def page(client, level):
    def get(path, **query):
        return client.get(f"/en/rounds/1/main/{path}/", query).content.decode()

    return get


def order(text, *names):
    table = text[text.index('class="list standings"') :]
    return sorted(names, key=lambda name: table.index(f">{name}<"))


def test_each_ranking_orders_players_by_their_best_counts(page, client, level):
    """Rules 8.1, 8.2, 8.9: the first player to reach the best count is named."""
    moves = page("moves")
    assert order(moves, "Ann", "Bo", "Cy", "Dee") == ["Bo", "Dee", "Ann", "Cy"]
    assert order(page("pushes"), "Ann", "Bo", "Cy", "Dee") == ["Cy", "Bo", "Dee", "Ann"]
    assert "Ann" in moves[moves.index("First to reach") :]
    assert [client.get(f"/en/rounds/1/extra/{path}/").status_code for path in PAGES] == [200] * 3


def test_the_ranking_of_an_earlier_time_is_shown(page):
    """Rules 3.5, 7.9: a time without a zone is Beijing time."""
    text = page("moves", at="2026-11-04T20:01")
    assert order(text, "Ann", "Cy") == ["Ann", "Cy"]
    assert ">Bo<" not in text
    assert "The ranking as it stood at" in text


def test_programs_are_marked_in_the_overall_ranking(page):
    """Rule 16.4."""
    bot = Player.objects.get(nickname="Bo")
    Player.objects.filter(pk=bot.pk).update(league="bot")
    personal_bests.recount([Submission.objects.filter(player=bot).get().level], [Player.objects.get(pk=bot.pk)])
    assert ">Bo<" not in page("moves")
    assert "program" in page("moves", league="all")
    assert order(page("moves", league="all"), "Bo", "Ann") == ["Bo", "Ann"]


def test_the_viewer_sees_neighbouring_ranks_and_what_gains_a_rank(client, during_round):
    """Rule 7.7."""
    cast.enter_all(during_round, [("Bo", 2, 1), *((f"P{moves}", moves, 1) for moves in range(5, 9))])
    client.post("/en/submit/", {"moves": "rlrR", "nickname": "Ann"})
    judging.judge_until_empty()
    text = client.get("/en/rounds/1/main/moves/").content.decode()
    assert "Around you" in text
    assert "rank 2" in text
    assert "For rank 1: 3 fewer moves." in text  # two moves without a push are impossible
    client.cookies.clear()
    assert "Around you" not in client.get("/en/rounds/1/main/moves/").content.decode()
