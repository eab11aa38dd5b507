import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player
from contest.rankings import ratings
from tests import cast
from tests.api.conftest import code_of
from tests.contest.outcomes import a_final_round, a_player

YEAR_END = cast.CLOSES.replace(month=12, day=30)


@pytest.fixture
def history(db):
    with clock.set_to(YEAR_END):
        for number, names in ((1, ("Ann", "Bo")), (2, ("Bo", "Ann"))):
            ratings.update(a_final_round(number, *names))
        yield


def test_the_hall_has_exact_sums_and_is_read_in_parts(english, history):
    """Rules 9.3, 21.2."""
    answer = english.get("hall/").json()
    first = answer["results"][0]
    assert (answer["count"], answer["by"], answer["league"]) == (2, "points", "human")
    assert (first["player"]["name"], first["half_points"], first["mmc"], first["mpc"]) == ("Ann", 154, 1, 1)
    part = english.get("hall/?start=1&limit=1&by=rounds").json()
    assert (part["count"], [row["player"]["name"] for row in part["results"]]) == (2, ["Bo"])
    assert english.get("hall/?league=bot").json()["results"] == []


def test_a_player_has_rounds_titles_and_a_rating(english, history):
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
