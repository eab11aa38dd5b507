from datetime import timedelta

import pytest

from contest.models import Player, Submission
from contest.rankings import personal_bests
from tests import cast
from tests.api.conftest import code_of

NOWHERE = (
    "nowhere/",
    f"rounds/{'9' * 5000}/",
    "rounds/x/",
    "rounds/1/third/",
    "rounds/?track=nothing",
    "hall/?track=nothing",
    "hall/99/",
    "events/?track=nothing",
    "submissions/17/",
    "submissions/x",
    "seasons/1999/",
    "players/99/",
    "collections/nothing/",
    "dumps/2026-01-01/levels.ndjson.gz",
    "solver/nothing/",
)


def test_a_missing_object_is_reported_as_a_problem_document(round_, english):
    assert {path: code_of(english.get(path)) for path in NOWHERE} == dict.fromkeys(NOWHERE, (404, "not_found"))


def test_an_open_round_shows_its_levels(round_, english):
    """Rule 2.3."""
    body = english.get("rounds/1/").json()
    assert (body["number"], body["phase"], body["title"]) == (1, "open", "Round")
    assert body["opens_at"] == "2026-11-01T12:00:00.000000Z"
    assert "rR" not in str(body)
    main, extra = body["levels"]
    assert (main["board"], extra["slot"]) == ("######\n#@-$.#\n######", "extra")
    assert (main["round"], main["slot"], main["width"], main["height"], main["boxes"]) == (1, "main", 6, 3, 1)
    assert english.get("rounds/1/main/").json() == main
    assert english.get("time/", Accept="text/html").json() == {"time": "2026-11-04T12:00:00.000000Z"}


def test_pages_of_rounds_link_both_ways_and_keep_the_query(round_, english):
    month = timedelta(days=30)
    for number in (2, 3, 4, 5):
        opens_at = cast.OPENS + number * month
        cast.a_round(number, opens_at=opens_at, closes_at=opens_at + month, announced_at=cast.OPENS)
    pages, path = [], "rounds/?limit=2&track=main"
    while path:
        page = english.get(path).json()
        pages.append([row["number"] for row in page["results"]])
        path = page["next"]
    assert pages == [[5, 4], [3, 2], [1]]
    assert "track=main" in page["previous"]
    back = english.get(page["previous"]).json()
    assert [row["number"] for row in back["results"]] == [3, 2]
    assert english.get(back["previous"]).json()["previous"] is None


def test_standings_rank_by_moves_or_pushes(round_, english):
    cast.enter_all(round_, [("Ann", 4, 1), ("Bob", 2, 2)])
    body = english.get("rounds/1/main/standings/").json()
    assert (body["by"], body["league"], body["provisional"], body["count"]) == ("moves", "human", True, 2)
    assert [(row["rank"], row["player"]["name"], row["moves"], row["pushes"]) for row in body["results"]] == [
        (1, "Bob", 2, 2),
        (2, "Ann", 4, 1),
    ]
    assert body["results"][0]["player"].keys() == {"number", "name", "country", "league"}
    by_pushes = english.get("rounds/1/main/standings/?by=pushes").json()
    assert [row["player"]["name"] for row in by_pushes["results"]] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    "path",
    [
        "rounds/",
        "rounds/1/",
        "rounds/1/main/standings/",
        "rounds/1/levels.sok",
        "levels.ndjson",
        "events/",
        "openapi.json",
    ],
)
def test_an_unchanged_response_is_not_sent_again(round_, english, path):
    tag = english.get(path)["ETag"]
    for again in (english.get(path, **{"If-None-Match": tag}), english.client.head(f"/api/v1/{path}")):
        assert (again["ETag"], again.content) == (tag, b"")
    assert english.get(path, **{"If-None-Match": tag}).status_code == 304
    assert english.client.head(f"/api/v1/{path}", headers={"If-None-Match": tag}).status_code == 304


def test_standings_are_filtered_by_league_and_by_neighbours_of_a_player(round_, english):
    """Rules 16.4, 20.1."""
    sent = [cast.enter(round_, f"P{moves}", moves, 1, at=cast.DURING) for moves in range(2, 12)]
    Player.objects.filter(nickname="P2").update(league="bot")
    personal_bests.recount([sent[0].level], [Player.objects.get(nickname="P2")])

    def names(query):
        rows = english.get(f"rounds/1/main/standings/?{query}").json()["results"]
        return [row["player"]["name"] for row in rows]

    assert names("limit=2") == ["P3", "P4"]
    assert names("league=bot") == ["P2"]
    assert names("league=all&limit=2") == ["P2", "P3"]
    assert names(f"around={sent[5].player.pk}") == ["P5", "P6", "P7", "P8", "P9"]
    assert names("around=999") == []
    Submission.objects.filter(pk=sent[1].pk).update(is_practice=True)
    personal_bests.recount([sent[1].level], [sent[1].player])
    assert names("limit=1") == ["P4"]
    assert english.get("rounds/1/main/standings/?board=all_time&limit=1").json()["results"][0]["practice"] is True


def test_the_pareto_front_lists_equal_results_and_a_void_level_has_no_front(round_, english):
    """Rules 2.10, 12.1, 12.2."""
    cast.enter_all(round_, [("Ann", 9, 3), ("Bob", 9, 3), ("Ann", 12, 2), ("Bob", 12, 4)])
    body = english.get("rounds/1/main/pareto/").json()
    assert [(row["moves"], row["pushes"], row["player"]["name"]) for row in body["results"]] == [
        (9, 3, "Ann"),
        (12, 2, "Ann"),
    ]
    assert [row["player"]["name"] for row in body["results"][0]["equalled"]] == ["Bob"]
    assert (body["count"], body["league"], body["void"]) == (2, "human", False)
    round_.levels.update(voided_at=cast.DURING)
    for path in ("standings", "pareto"):
        body = english.get(f"rounds/1/main/{path}/").json()
        assert (body["void"], body["count"], body["results"]) == (True, 0, [])
