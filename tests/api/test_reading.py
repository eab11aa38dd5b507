from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player, Submission
from contest.rankings import personal_bests
from tests import cast


def test_a_round_that_runs_shows_its_levels(round_, english):
    body = english.get("rounds/1/").json()
    assert (body["number"], body["phase"], body["title"]) == (1, "open", "Round")
    assert body["opens_at"] == "2026-11-01T12:00:00.000000Z"
    assert [level["slot"] for level in body["levels"]] == ["main", "extra"]
    assert "rR" not in str(body)


def test_a_title_is_in_the_readers_language(round_, bot):
    expected = {"en": "Round", "zh-Hans": "回合"}
    assert bot.get("rounds/1/").json()["title"] == expected[bot.language]


def test_before_the_opening_levels_are_absent(round_, bot):
    with clock.set_to(cast.OPENS - timedelta(seconds=1)):
        body = bot.get("rounds/1/").json()
        assert body["phase"] == "scheduled"
        assert "levels" not in body
        assert "levels" not in bot.get("rounds/").json()["results"][0]
        assert bot.get("rounds/1/main/").status_code == 404
        assert bot.get("rounds/1/main/standings/").status_code == 404


def test_a_draft_does_not_exist(round_, bot):
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=cast.CLOSES + timedelta(days=9), announced_at=None)
    assert bot.get("rounds/2/").json()["code"] == bot.get("rounds/3/").json()["code"] == "not_found"
    assert [row["number"] for row in bot.get("rounds/").json()["results"]] == [1]


@pytest.mark.parametrize(
    "path", ["rounds/99999999999999999999/", f"rounds/{'9' * 5000}/", "rounds/1/third/", "rounds/x/"]
)
def test_what_is_not_there_is_404(round_, bot, path):
    assert bot.get(path).status_code == 404


def test_a_level_is_one_board(round_, english):
    """Rule 2.3."""
    body = english.get("rounds/1/main/").json()
    assert body["board"] == "######\n#@-$.#\n######"
    assert (body["round"], body["slot"], body["width"], body["height"], body["boxes"]) == (1, "main", 6, 3, 1)


def test_rounds_come_in_pages_that_lead_both_ways(round_, english):
    month = timedelta(days=30)
    for number in (2, 3, 4, 5):
        opens_at = cast.OPENS + number * month
        cast.a_round(number, opens_at=opens_at, closes_at=opens_at + month, announced_at=cast.OPENS)
    pages, path = [], "rounds/?limit=2"
    while path:
        page = english.get(path).json()
        pages.append([row["number"] for row in page["results"]])
        path = page["next"] and page["next"].partition("/api/v1/")[2]
    assert pages == [[5, 4], [3, 2], [1]]
    back = english.get(page["previous"].partition("/api/v1/")[2]).json()
    assert [row["number"] for row in back["results"]] == [3, 2]


@pytest.mark.parametrize(
    "query",
    [
        *["limit=0", "limit=x", "limit=007", "limit=0000000001", "limit=1e1", "limit=1000000000"],
        *["cursor=", "cursor=x", "cursor=before-", "cursor=%00"],
    ],
)
def test_a_bad_page_is_400(round_, bot, query):
    assert bot.get(f"rounds/?{query}").status_code == 400


def test_standings_rank_by_moves_or_pushes(round_, english):
    cast.send("Ann", "lrR".replace("l", "rl"))
    cast.send("Bob", "rR", country="CN")
    judging.judge_until_empty()
    body = english.get("rounds/1/main/standings/?by=moves").json()
    assert (body["by"], body["league"], body["provisional"], body["count"]) == ("moves", "human", True, 2)
    assert [(row["rank"], row["player"]["name"], row["moves"], row["pushes"]) for row in body["results"]] == [
        (1, "Bob", 2, 1),
        (2, "Ann", 4, 1),
    ]
    assert body["results"][0]["player"].keys() == {"number", "name", "country", "league"}


def test_standings_of_both_leagues_and_of_those_around_a_player(round_, english):
    """Rules 16.4, 20.1."""
    sent = [cast.enter(round_, f"P{moves}", moves, 1, at=cast.DURING) for moves in range(2, 12)]
    Player.objects.filter(nickname="P2").update(league="bot")
    personal_bests.recount(sent[0].level, [Player.objects.get(nickname="P2")])

    def names(query):
        rows = english.get(f"rounds/1/main/standings/?{query}").json()["results"]
        return [row["player"]["name"] for row in rows]

    assert names("limit=2") == ["P3", "P4"]
    assert names("league=bot") == ["P2"]
    assert names("league=all&limit=2") == ["P2", "P3"]
    assert names(f"around={sent[5].player.pk}") == ["P5", "P6", "P7", "P8", "P9"]
    assert names("around=999") == []
    Submission.objects.filter(pk=sent[1].pk).update(is_practice=True)
    personal_bests.recount(sent[1].level, [sent[1].player])
    assert names("limit=1") == ["P4"]
    assert english.get("rounds/1/main/standings/?board=all_time&limit=1").json()["results"][0]["practice"] is True


def test_the_pareto_front_names_who_equalled_it(round_, english):
    """Rules 12.1, 12.2."""
    cast.enter_all(round_, [("Ann", 9, 3), ("Bob", 9, 3), ("Ann", 12, 2), ("Bob", 12, 4)])
    body = english.get("rounds/1/main/pareto/").json()
    assert [(row["moves"], row["pushes"], row["player"]["name"]) for row in body["results"]] == [
        (9, 3, "Ann"),
        (12, 2, "Ann"),
    ]
    assert [row["player"]["name"] for row in body["results"][0]["equalled"]] == ["Bob"]
    assert (body["count"], body["league"], body["void"]) == (2, "human", False)


def test_a_void_level_has_no_rows(round_, english):
    """Rule 2.10."""
    cast.enter_all(round_, [("Ann", 9, 3)])
    round_.levels.update(voided_at=cast.DURING)
    for path in ("standings", "pareto"):
        body = english.get(f"rounds/1/main/{path}/").json()
        assert (body["void"], body["count"], body["results"]) == (True, 0, [])


@pytest.mark.parametrize(
    "query", ["by=luck", "league=dogs", "board=practice", "board=spectator", "around=me", "start=-1", "limit=many"]
)
def test_a_bad_choice_is_named(round_, bot, query):
    answer = bot.get(f"rounds/1/main/standings/?{query}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == query.partition("=")[0]


@pytest.mark.parametrize("path", ["rounds/", "rounds/1/", "rounds/1/main/", "rounds/1/main/standings/", "time/"])
def test_an_unchanged_answer_is_304(round_, bot, path):
    tag = bot.get(path)["ETag"]
    answer = bot.get(path, **{"If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")


@pytest.mark.parametrize("path", ["rounds/", "rounds/1/", "rounds/1/main/", "time/"])
def test_head_has_the_headers_of_get(round_, client, path):
    address = f"/api/v1/{path}"
    read, asked = client.get(address), client.head(address)
    assert (asked.status_code, asked.content, asked["ETag"]) == (200, b"", read["ETag"])
    unchanged = client.head(address, headers={"If-None-Match": read["ETag"]})
    assert (unchanged.status_code, unchanged["ETag"]) == (304, read["ETag"])


def test_the_time_is_the_servers(round_, english):
    assert english.get("time/", Accept="text/html").json() == {"time": "2026-11-04T12:00:00.000000Z"}
