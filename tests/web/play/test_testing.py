import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from contest.infra import clock
from contest.models import AuditEntry, Round, Submission, Tester
from contest.rounds import testers
from tests import cast
from tests.contest.rounds.conftest import BEFORE, a_player
from tests.desk.conftest import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before():
    with clock.set_to(BEFORE):
        yield


@pytest.fixture
def asked(db) -> tuple[Client, str]:
    user = User.objects.create_user("tina")
    tester = testers.invite(cast.a_round(announced_at=None), a_player("Tina", user), at=BEFORE, by=None)
    return signed_in(user), f"/en/me/tests/{tester.pk}/"


def agree(asked) -> tuple[Client, str]:
    client, page = asked
    assert client.post(page, {"agrees": "on", "names": ""}).status_code == 302
    return client, page


def test_levels_are_hidden_before_the_tester_agrees(asked):
    """Rule 4.14."""
    client, page = asked
    assert page in client.get("/en/me/").text
    assert "I will not enter this round" in client.get(page).text
    assert f"{page}main/" not in client.get(page).text
    assert client.get(f"{page}main/").status_code == 404
    assert client.post(page, {"names": ""}).status_code == 422
    unknown = client.post(page, {"agrees": "on", "names": "Nobody here"})
    assert (unknown.status_code, Tester.objects.get().agreed_at) == (422, None)
    assert "There is no player called “Nobody here”" in unknown.text
    assert "Nobody here</textarea>" in unknown.text


def test_a_tester_plays_after_agreeing_and_each_view_is_recorded(asked):
    """Rule 4.14."""
    client, page = agree(asked)
    shown = client.get(f"{page}main/")
    assert cast.CORRIDOR in shown.text
    client.head(f"{page}main/")
    client.get(f"{page}main/")
    looks = AuditEntry.objects.filter(act="look at test")
    assert [entry.after for entry in looks] == [{"slot": "main"}]


def test_a_testers_solution_gets_a_verdict_and_is_no_submission(asked):
    """Rule 4.14: by the form, and by the player's script."""
    client, page = agree(asked)
    assert client.post(f"{page}main/", {"moves": "rR"})["Location"] == page
    by_script = client.post(f"{page}main/", {"moves": "ll"}, headers={"Accept": "application/json"})
    assert (by_script.status_code, by_script.json()) == (201, {"receipt": page})
    assert not Submission.objects.exists()
    listed = client.get(page).text
    assert "accepted" in listed
    assert "illegal move" in listed


def test_only_the_tester_may_open_the_pages(asked):
    _client, page = agree(asked)
    others = [User.objects.create_user(name, is_staff=name == "organiser") for name in ("player", "organiser")]
    for client in (Client(), *map(signed_in, others)):
        for address in (page, f"{page}main/"):
            answer = client.get(address)
            assert answer.status_code in (302, 404)
            assert cast.CORRIDOR not in answer.text


def test_other_names_are_given_once_and_only_before_the_opening(asked):
    """Rule 4.14."""
    client, page = asked
    rival = a_player("Rival")
    with clock.set_to(cast.DURING):
        Round.objects.update(announced_at=BEFORE)
        answer = client.post(page, {"agrees": "on", "names": "Rival"})
        assert (answer.status_code, "There is nothing to test now." in answer.text) == (422, True)
        assert "I will not enter this round" not in client.get(page).text
    assert client.post(page, {"agrees": "on", "names": "Rival"}).status_code == 302
    again = client.post(page, {"agrees": "on", "names": "Rival"})
    assert (again.status_code, "You have already agreed." in again.text) == (422, True)
    tester = Tester.objects.get()
    assert rival not in tester.names.all()
    assert list(tester.told.all()) == [rival]


def exported_to(client):
    return json.loads(client.get("/en/me/export.json").getvalue())["players"]


def test_only_the_testers_own_export_contains_the_entries(asked):
    """Rule 4.14: data of an unopened round is only for its testers."""
    client, page = agree(asked)
    client.post(f"{page}main/", {"moves": "rR"})
    (player,) = exported_to(client)
    assert [entry["moves"] for entry in player["tests"][0]["entries"]] == [2]
    owner = User.objects.create_user("rival")
    Tester.objects.get().names.add(a_player("Rival", owner))
    (player,) = exported_to(signed_in(owner))
    assert player["tests"] == []
    testers.take_off(Tester.objects.get(), at=BEFORE, by=None)
    assert (client.get(page).status_code, client.get(f"{page}main/").status_code) == (404, 404)
