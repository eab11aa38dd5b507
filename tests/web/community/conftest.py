"""Browsers of several people, with a revealed round and a collection."""

from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client

from contest.infra import clock
from contest.models import Player
from tests import cast

LONG = "#######|#@--$.#|#######"


@pytest.fixture
def revealed(db):
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        round_ = cast.a_round()
        cast.a_collection(boards=[LONG])
        cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4), ("Cy", 7, 5)])
        yield round_


@pytest.fixture
def browser(revealed):
    """`browser("Ann")` has proved the nickname Ann; `browser()` none."""

    def client(*nicknames: str) -> Client:
        browser_client = Client()
        claims = {str(Player.objects.get(nickname=name).pk): cast.claim_of(name) for name in nicknames}
        browser_client.cookies["claims"] = signing.dumps(claims, salt="claims", compress=True)
        return browser_client if nicknames else Client()

    return client
