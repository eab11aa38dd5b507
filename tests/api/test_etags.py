"""Every GET of the API has an ETag, the same for HEAD, and answers 304 to who sends it back."""

import re

import pytest

from contest.api import schema
from contest.infra import clock
from contest.models import Player, Round
from tests import cast
from tests.api.conftest import Bot
from tests.api.test_fuzz import site
from tests.api.test_solver import ask

__all__ = ["site"]  # a fixture

OWN = f"{schema.PREFIX}openapi.json"
READ = [*(path for path, methods in schema.document()["paths"].items() if "get" in methods), OWN]


@pytest.fixture
def whole(site):
    """A site with something at every address, a player's program and an organiser's with their tokens, and what stands
    in the places of addresses.
    """
    with clock.set_to(cast.AFTER):
        cast.a_collection("corridors", may_download=True)
    first = Round.objects.get(number=1)
    Round.objects.filter(pk=first.pk).update(settings={**first.settings, "sealed_answers": True})
    program = Bot(token=site["token"])
    of_the_desk = Bot(token=site["token_of_desk"])
    places = {**site, "number": 1, "moves": "rR", "search_id": ask(program).json()["id"]}
    return program.client, of_the_desk.client, places


def filled(path, places):
    if "collections/" in path:
        places = {**places, "slug": "corridors"}
    if "players/" in path:
        places = {**places, "number": Player.objects.get(nickname="Ann").pk}
    return re.sub(r"{(\w+)}", lambda place: str(places[place[1]]), path)


def test_whatever_is_read_has_a_tag_and_is_not_sent_again_while_it_is_unchanged(whole):
    of_a_player, of_the_desk, places = whole
    wrong = {}
    for path in READ:
        address = filled(path, places)
        client = of_the_desk if "/desk/" in path else of_a_player
        read = client.get(address)
        tag = read.get("ETag", "")
        again = client.get(address, headers={"If-None-Match": tag})
        asked = client.head(address)
        told = (read.status_code, again.status_code, again.getvalue(), again.get("ETag"), asked.get("ETag"))
        if not tag or told != (200, 304, b"", tag, tag):
            wrong[address] = (tag, told)
    assert wrong == {}
    assert len(READ) > 35
