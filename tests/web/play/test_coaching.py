import re
from datetime import timedelta

import pytest
from django.test import Client

from contest import judging
from contest.infra import clock
from contest.models import CollectedLevel, LevelResult, Round, Search, SearchState, Submission
from contest.vetting import coaching, worker
from solvers import sokoban
from tests import cast

pytestmark = pytest.mark.django_db

LINK = "Where did the moves go?"


@pytest.fixture
def submission(client, during_round):
    client.post("/en/submit/", {"moves": "rlrR", "nickname": "Ann", "round": 1})
    judging.judge_until_empty()
    return Submission.objects.get()


def solve(address, client, lurd, better):
    client.post(address, {"do": "ask"})
    search = Search.objects.get()
    found = {name: {"lurd": better, "moves": len(better), "pushes": 1} for name in ("moves", "pushes")}
    assert search.given == lurd
    fields = {"answer": "solved", "found": found, "stretches": coaching.find_stretches(search, found), "least_moves": 2}
    Search.objects.update(state=SearchState.DONE, tried=cast.compared(), **fields)


@pytest.fixture
def after():
    with clock.set_to(cast.AFTER):
        yield


def test_a_replay_leads_to_a_list_of_lost_stretches_that_works_without_scripts(submission, after, client):
    replay = f"/en/rounds/1/replays/{submission.number}/"
    assert f'href="{replay}coach/#ask"' in client.get(replay).content.decode()
    assert "Analyse this solution" in client.get(f"{replay}coach/").content.decode()
    solve(f"{replay}coach/", client, "rlrR", "rR")
    page = client.get(f"{replay}coach/").content.decode()
    assert "2 moves lost." in page
    stretches = re.findall(r'data-start="(\d+)"\s+data-stop="(\d+)".*?<strong>(.*?)</strong>', page, re.DOTALL)
    assert stretches == [("0", "2", "−2 moves")]
    assert client.get(f"{replay}coach/?part=moves").content == b"rlrR"


def test_progress_is_shown_and_the_asker_can_stop(submission, after, client):
    address = f"/en/rounds/1/replays/{submission.number}/coach/"
    client.post(address, {"do": "ask"})
    page = client.get(f"{address}?part=coach").content.decode()
    assert ("data-busy" in page, "Waiting for its turn." in page, 'value="stop"' in page) == (True, True, True)
    assert 'value="stop"' not in Client(REMOTE_ADDR="198.51.100.9").get(address).content.decode()
    assert "Stopped." in client.post(f"{address}?part=coach", {"do": "stop"}).content.decode()


def test_the_player_gets_to_an_own_solution_from_the_receipt_only_after_the_reveal(submission, client):
    """Rules 7.2, 7.5: the link to a receipt does not prove the nickname."""
    receipt = f"/en/s/{submission.receipt_id}/"
    Round.objects.update(settings=submission.round.settings | {"solutions_public": "never"})
    for at, status in ((cast.DURING, 404), (cast.AFTER, 200)):
        with clock.set_to(at):
            assert (LINK in client.get(receipt).content.decode()) == (status == 200)
            assert client.get(f"{receipt}coach/").status_code == status
            assert LINK not in Client().get(receipt).content.decode()
            assert Client().get(f"{receipt}coach/").status_code == 404
    verdict = client.get(receipt, headers={"Accept": "application/json"})
    assert verdict.json()["coach"] == ""


def test_a_solution_of_a_collection_is_analysed_at_once(db, client):
    cast.a_collection()
    client.post("/en/collections/corridors/1/play/", {"moves": "rlrR", "nickname": "Ann"})
    receipt = f"/en/collected/{LevelResult.objects.get().receipt_id}/"
    assert LINK in client.get(receipt).content.decode()
    assert client.get(receipt, headers={"Accept": "application/json"}).json()["coach"] == f"{receipt}coach/"
    solve(f"{receipt}coach/", client, "rlrR", "rR")
    assert "2 moves lost." in client.get(f"{receipt}coach/").content.decode()
    CollectedLevel.objects.update(least_moves=4, least_pushes=1)
    assert LINK not in client.get(receipt).content.decode(), "proved: nothing is lost"


def test_of_a_level_in_play_the_page_says_the_same_as_after_a_search_that_broke_off(submission, after, client):
    """Rule 4.9: a turned copy of the level is in a round that has opened since the answer was stored."""
    address = f"/en/rounds/1/replays/{submission.number}/coach/?part=coach"
    solve(address, client, "rlrR", "rR")
    other = cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    other.levels.all().delete()
    cast.a_level(other, text=sokoban.Level.parse(cast.CORRIDOR).transform(3).published_text)
    pages = []
    with clock.set_to(cast.AFTER + timedelta(hours=1)):
        assert "Waiting for its turn." in client.get(address).content.decode()
        worker.work_until_empty(lambda: None)
        for state in (SearchState.DONE, SearchState.FAILED):
            Search.objects.update(state=state)
            pages.append(re.sub(r'value="\w{64}"', "", client.get(address).content.decode()))
    assert pages[0] == pages[1]
    assert "There is no analysis of this solution at present." in pages[0]
    with clock.set_to(cast.AFTER + timedelta(days=8)):
        assert "Analyse this solution" in client.get(address).content.decode()
