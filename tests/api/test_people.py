import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player
from contest.rankings import ratings
from tests import cast
from tests.contest.outcomes import a_final_round, a_player

YEAR_END = cast.CLOSES.replace(month=12, day=30)


@pytest.fixture
def history(db):
    with clock.set_to(YEAR_END):
        for number, names in ((1, ("Ann", "Bo")), (2, ("Bo", "Ann"))):
            ratings.update(a_final_round(number, *names))
        yield


def test_the_hall_has_exact_sums(bot, history):
    """Rules 9.3, 21.2."""
    answer = bot.get("hall/").json()
    first = answer["results"][0]
    assert (answer["count"], answer["by"], answer["league"]) == (2, "points", "human")
    assert (first["player"]["name"], first["half_points"], first["mmc"], first["mpc"]) == ("Ann", 154, 1, 1)


def test_a_part_of_the_hall_can_be_read(bot, history):
    answer = bot.get("hall/?start=1&limit=1&by=rounds").json()
    assert [row["player"]["name"] for row in answer["results"]] == ["Bo"]


def test_a_season_names_its_rounds(bot, history):
    """Rule 21.1."""
    answer = bot.get("seasons/2026/").json()
    assert (answer["season"], answer["rounds"], answer["count"]) == ("2026", [2, 1], 2)
    assert answer["begins_at"] == "2025-12-31T16:00:00.000000Z"


@pytest.mark.parametrize("path", ["seasons/1999/", "seasons/none/", "players/99/", "hall/99/"])
def test_what_is_not_there_is_404(bot, history, path):
    assert bot.get(path).status_code == 404


def test_an_unknown_order_is_named(bot, history):
    answer = bot.get("hall/?by=luck")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "by")


def test_a_player_has_rounds_titles_and_a_rating(bot, history):
    answer = bot.get(f"players/{a_player('Ann').pk}/").json()
    assert answer["rounds"][1] == {"round": 1, "place": 1, "half_points": 79, "titles": ["MMC"]}
    assert answer["total"]["half_points"] == 154
    assert answer["rating"]["sigma"] < 25 / 3


def test_a_merged_name_answers_with_the_player_it_leads_to(bot, history):
    """Rule 4.13."""
    ann, bo = a_player("Ann"), a_player("Bo")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    assert bot.get(f"players/{bo.pk}/").json()["number"] == ann.pk


def test_two_names_of_one_player_count_a_round_once(bot, history):
    """Rule 4.13: as in the hall of fame."""
    ann, bo = a_player("Ann"), a_player("Bo")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)
    answer = bot.get(f"players/{ann.pk}/").json()
    in_hall = bot.get("hall/").json()["results"][0]
    in_hall.pop("rank")
    assert answer["total"] == in_hall
    assert (answer["total"]["rounds"], answer["total"]["half_points"]) == (2, 158)
    assert [(row["round"], row["place"], row["titles"]) for row in answer["rounds"]] == [
        (2, 1, ["MMC", "MPC"]),
        (1, 1, ["MMC", "MPC"]),
    ]


def test_a_player_of_a_running_round_has_ranks_and_fronts_and_no_points(bot, round_):
    """Rules 7.4, 12.3."""
    receipt = cast.send("Ann", "rR")
    judging.judge_until_empty()
    answer = bot.get(f"players/{receipt.submission.player_id}/").json()
    assert answer["best_levels"] == [{"round": 1, "slot": "main", "rank_by_moves": 1, "rank_by_pushes": 1}]
    assert [(held["slot"], held["moves"], held["pushes"]) for held in answer["pareto"]] == [("main", 2, 1)]
    assert (answer["total"], answer["rating"], answer["rounds"]) == (None, None, [])


def test_a_player_who_has_solved_nothing_is_unknown(bot, round_):
    """Rule 6.14."""
    receipt = cast.send("Ann", "u")
    judging.judge_until_empty()
    assert bot.get(f"players/{receipt.submission.player_id}/").status_code == 404
