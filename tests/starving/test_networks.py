"""Limits per day on acts of one network (IPv4 /24, IPv6 /48), under any nicknames (rule 5.9)."""

import pytest
from django.test import Client

from contest import judging
from contest.models import GRADED_SLUG, Player, Scope
from contest.players import api_tokens
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cache_of_its_own")]


def enter(client, nickname):
    client.post("/en/submit/", {"moves": "RR", "nickname": nickname})
    judging.judge_until_empty()
    return Player.objects.get(nickname=nickname)


def sealed(player):
    return {"slot": "main", "moves": 2, "pushes": 1, "sha256": f"{player.pk:064x}"}


def seal_by_a_program(client, player):
    token = api_tokens.make(player, None, cast.DURING, scopes=Scope.values).text
    headers = {"Authorization": f"Bearer {token}"}
    return client.post("/api/v1/rounds/1/sealed/", sealed(player), content_type="application/json", headers=headers)


JSON = {"Accept": "application/json"}
ACTS = {
    "token": lambda client, player: client.post("/en/me/tokens/", {"player": player.pk, "scopes": ["read"]}),
    "country": lambda client, player: client.post(f"/en/me/{player.pk}/", {"act": "country", "country-country": "FR"}),
    "seal": lambda client, player: client.post("/en/rounds/1/sealed/", {"player": player.pk, **sealed(player)}),
    "seal by a program": seal_by_a_program,
    "run": lambda client, _player: client.post("/en/run/three-minutes/start/", headers=JSON),
}


@pytest.mark.parametrize(("name", "act"), ACTS.items(), ids=ACTS)
def test_a_network_does_each_act_a_limited_number_of_times(during_round, settings, act, name):
    cast.with_settings(during_round, sealed_answers=True)
    name, refused = name.partition(" ")[0], 422 if name in ("token", "country") else 429
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {f"contest.{name}.network": "2/86400s/key"}
    cast.a_collection(GRADED_SLUG, ["#####|#@$.#|#####"])

    def act_as(nickname, address):
        client = Client(REMOTE_ADDR=address)
        return act(client, enter(client, nickname))

    answers = [act_as(f"Ann {number}", f"203.0.113.{number}") for number in (1, 2, 3)]
    assert [answer.status_code < 400 for answer in answers] == [True, True, False]
    assert answers[-1].status_code == refused
    assert "from your network" in answers[-1].content.decode()
    assert act_as("Bo", "198.51.100.1").status_code < 400
