"""Limits per day on acts of one network (IPv4 /24, IPv6 /48), under any nicknames (rule 5.9)."""

import pytest
from django.test import Client

from contest import judging
from contest.infra import clock
from contest.models import GRADED_SLUG, Player, Scope
from contest.players import api_tokens
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cache_of_its_own")]


@pytest.fixture
def running():
    with clock.set_to(cast.DURING):
        yield cast.with_settings(cast.a_round(), sealed_answers=True)


def enter(client, nickname):
    client.post("/en/submit/", {"moves": "RR", "nickname": nickname})
    judging.judge_until_empty()
    return Player.objects.get(nickname=nickname)


def create_token(client, player):
    return client.post("/en/me/tokens/", {"player": player.pk, "scopes": ["read"]})


def change_country(client, player):
    return client.post(f"/en/me/{player.pk}/", {"act": "country", "country-country": "FR"})


def sealed(player):
    return {"slot": "main", "moves": 2, "pushes": 1, "sha256": f"{player.pk:064x}"}


def seal(client, player):
    return client.post("/en/rounds/1/sealed/", {"player": player.pk, **sealed(player)})


def seal_by_a_program(client, player):
    token = api_tokens.make(player, None, cast.DURING, scopes=Scope.values).text
    headers = {"Authorization": f"Bearer {token}"}
    return client.post("/api/v1/rounds/1/sealed/", sealed(player), content_type="application/json", headers=headers)


def start_a_run(client, _player):
    return client.post("/en/run/three-minutes/start/", headers={"Accept": "application/json"})


@pytest.mark.parametrize(
    ("act", "name", "refused"),
    [
        (create_token, "token", 422),
        (change_country, "country", 422),
        (seal, "seal", 429),
        (seal_by_a_program, "seal", 429),
        (start_a_run, "run", 429),
    ],
)
def test_a_network_does_each_act_a_limited_number_of_times(running, settings, act, name, refused):
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
