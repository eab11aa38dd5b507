"""The ranking pages of a level."""

import pytest

from contest import judging
from contest.infra import rate_limits
from contest.models import Player, Submission
from contest.rankings import personal_bests
from contest.web.pages import boards
from tests import cast

pytestmark = pytest.mark.django_db
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


def test_a_past_ranking_counts_the_submissions_that_it_is_computed_from(page, monkeypatch):
    """Rule 5.9: the current ones are read from stored rows."""
    passed = []
    monkeypatch.setattr(rate_limits, "pass_door", lambda _cost, _address, amount: passed.append(amount))
    monkeypatch.setattr(boards, "SUBMISSIONS_PER_PASS", 2)
    for query in ({}, {"at": "never"}, {"at": "2026-11-04 20:00"}):
        page("moves", **query)
    assert passed == [1 + len(RESULTS) // 2]


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
