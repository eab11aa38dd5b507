import pytest

from contest.models import Search, SearchState
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during_round")]

LEVEL = "#######\n#@  $.#\n#     #\n#######"


def ask(client, **fields):
    return client.post("/en/lab/solver/", {"level": LEVEL, "wish": "solve-any", "seconds": "10", **fields})


def test_the_solution_can_be_watched(client):
    ask(client, wish="prove-pushes")
    found = {aim: {"lurd": lurd, "moves": 3, "pushes": 1} for aim, lurd in (("pushes", "rrR"), ("moves", "rrRl"))}
    facts = {"state": SearchState.DONE, "answer": "solved", "tried": cast.compared()}
    Search.objects.update(**facts, least_pushes=1, least_moves=2, found=found)
    search = Search.objects.get()
    page = client.get(f"/en/lab/solver/{search.public_id}/").content.decode()
    assert "Solved: 3 moves, 1 push." in page
    assert "No solution has fewer pushes: proved." in page
    assert "No solution has fewer moves" not in page
    for aim, lurd in (("any", b"rrR"), ("pushes", b"rrR"), ("moves", b"rrRl")):
        Search.objects.update(aim=aim)
        assert client.get(f"/en/lab/solver/{search.public_id}/moves.txt").content == lurd


def test_an_invalid_question_keeps_its_fields_and_a_level_in_play_is_refused(client):
    """Rules 4.9, 20.4."""
    answer = ask(client, level=LEVEL.replace(".", "?"), lurd="rrR")
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "is not a character of this text" in page
    assert "rrR" in page
    answer = ask(client, level=cast.CORNER.replace("|", "\n"))
    assert answer.status_code == 403
    assert "Players are solving it now" in answer.content.decode()


def test_any_client_with_the_link_may_cancel_the_search(client):
    ask(client)
    client.post(f"/en/lab/solver/{Search.objects.get().public_id}/")
    assert Search.objects.get().state == SearchState.CANCELLED
    assert client.get(f"/en/lab/solver/{Search.objects.get().public_id}/moves.txt").status_code == 404
    assert client.get("/en/lab/solver/nothing/").status_code == 404
    assert client.get("/en/lab/solver/nothing/moves.txt").status_code == 404
