"""Test data: a closed round, a running one, and a future one. Boards need one push, so that moves stay short."""

from datetime import timedelta

import pytest
from django.utils import translation

from contest.infra import clock
from contest.models import Round
from contest.rounds import lucky_number
from tests import cast

EASY = "#####|#@$.#|#####"
TWO_PUSHES = "######|#@$-.#|######"


def a_round(number, *, opens_in, days=21):
    opens_at = clock.now() + timedelta(days=opens_in)
    closes_at, announced_at = opens_at + timedelta(days=days), opens_at - timedelta(days=30)
    round_ = Round(number=number, opens_at=opens_at, closes_at=closes_at, announced_at=announced_at)
    lucky_number.save_committed(round_)
    return round_


def a_level(round_, rows=EASY, *, slot="main", title=""):
    """Create a level that is like no other: the same few boards are in all rounds."""
    level = cast.a_level(round_, slot, rows, "R")
    level.title, level.sha256 = title, f"{round_.number}{slot}".ljust(64, "0")
    level.key = level.sha256
    level.save()
    return level


@pytest.fixture(autouse=True)
def _fixed_time_and_language():
    """Stop the clock, and reset the language of earlier requests."""
    with clock.set_to(cast.DURING), translation.override("en"):
        yield


@pytest.fixture
def running(db):
    round_ = a_round(7, opens_in=-1)
    a_level(round_, TWO_PUSHES)
    a_level(round_, "#####|#.$@#|#####", slot="extra")
    return round_


@pytest.fixture
def closed(db):
    round_ = a_round(6, opens_in=-40)
    a_level(round_, title="Old one")
    return round_


@pytest.fixture
def coming(db):
    round_ = a_round(8, opens_in=25)
    a_level(round_, title="Secret title")
    return round_


@pytest.fixture
def send(client):
    def post(moves, nickname="Ann", **more):
        return client.post("/en/submit/", {"moves": moves, "nickname": nickname, **more}, follow=True)

    return post
