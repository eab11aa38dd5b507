from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player, Submission
from contest.rankings import personal_bests, ratings
from tests import cast
from tests.api.conftest import code_of
from tests.contest.outcomes import a_final_round, a_player

NOWHERE = ("nowhere/", f"rounds/{'9' * 5000}/", "rounds/x/", "rounds/1/third/", "submissions/17/")
NOWHERE += ("rounds/?track=nothing", "hall/?track=nothing", "hall/?track=another")


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
    ranked = [(row["rank"], row["player"]["name"], row["moves"], row["pushes"]) for row in body["results"]]
    assert ranked == [(1, "Bob", 2, 2), (2, "Ann", 4, 1)]
    assert body["results"][0]["player"].keys() == {"number", "name", "country", "league"}
    by_pushes = english.get("rounds/1/main/standings/?by=pushes").json()
    assert [row["player"]["name"] for row in by_pushes["results"]] == ["Ann", "Bob"]


@pytest.mark.parametrize("path", ["rounds/", "rounds/1/levels.sok", "levels.ndjson", "events/"])
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
    front = [(row["moves"], row["pushes"], row["player"]["name"]) for row in body["results"]]
    assert front == [(9, 3, "Ann"), (12, 2, "Ann")]
    assert [row["player"]["name"] for row in body["results"][0]["equalled"]] == ["Bob"]
    assert (body["count"], body["league"], body["void"]) == (2, "human", False)
    round_.levels.update(voided_at=cast.DURING)
    for path in ("standings", "pareto"):
        body = english.get(f"rounds/1/main/{path}/").json()
        assert (body["void"], body["count"], body["results"]) == (True, 0, [])


@pytest.fixture
def history(db):
    with clock.set_to(cast.CLOSES.replace(month=12, day=30)):
        for number, names in ((1, ("Ann", "Bo")), (2, ("Bo", "Ann"))):
            ratings.update(a_final_round(number, *names))
        yield


def test_the_hall_and_a_player_have_exact_sums_and_the_hall_is_read_in_parts(english, history):
    """Rules 9.3, 21.2."""
    answer = english.get("hall/").json()
    first = answer["results"][0]
    assert (answer["count"], answer["by"], answer["league"]) == (2, "points", "human")
    assert (first["player"]["name"], first["half_points"], first["mmc"], first["mpc"]) == ("Ann", 154, 1, 1)
    part = english.get("hall/?start=1&limit=1&by=rounds").json()
    assert (part["count"], [row["player"]["name"] for row in part["results"]]) == (2, ["Bo"])
    assert english.get("hall/?league=bot").json()["results"] == []
    answer = english.get(f"players/{a_player('Ann').pk}/").json()
    assert answer["rounds"][1] == {"round": 1, "place": 1, "half_points": 79, "titles": ["MMC"]}
    assert answer["total"]["half_points"] == 154
    assert answer["rating"]["sigma"] < 25 / 3


def test_in_a_running_round_a_player_has_ranks_and_fronts_but_no_points(english, round_):
    """Rules 7.4, 12.3."""
    receipt = cast.send("Ann", "rR")
    judging.judge_until_empty()
    answer = english.get(f"players/{receipt.submission.player_id}/").json()
    assert answer["best_levels"] == [{"round": 1, "slot": "main", "rank_by_moves": 1, "rank_by_pushes": 1}]
    points = [[point[name] for name in ("round", "slot", "moves", "pushes")] for point in answer["pareto"]]
    assert points == [[1, "main", 2, 1]]
    assert (answer["total"], answer["rating"], answer["rounds"]) == (None, None, [])


def test_players_with_public_data_are_listed_and_a_program_sees_itself_earlier(english, program, round_):
    """Rules 6.14, 7.4."""
    for name, moves in (("Ann", "rR"), ("Bob", "rlrR"), ("Dora", "u")):
        cast.send(name, moves)
    judging.judge_until_empty()
    assert [player["name"] for player in english.get("players/").json()["results"]] == ["Bob", "Ann"]
    assert [player["name"] for player in program.get("players/").json()["results"]] == ["Bob", "Ann", "Robo"]
    assert code_of(english.get(f"players/{a_player('Dora').pk}/")) == (404, "not_found")
    Player.objects.filter(nickname="Ann").update(merged_into=a_player("Bob"))
    assert [player["name"] for player in english.get("players/").json()["results"]] == ["Bob"]
