"""Test data: a closed round, a running one, and a future one. Boards need one push, so that moves stay short."""

from datetime import timedelta

import pytest
from django.utils import translation

from contest.infra import clock
from contest.models import Level, Round
from contest.rounds import lucky_number
from solvers import sokoban
from tests import cast

EASY = "#####|#@$.#|#####"
TWO_PUSHES = "######|#@$-.#|######"


def a_round(number, *, opens_in, days=21, announced=True):
    opens_at = clock.now() + timedelta(days=opens_in)
    round_ = Round(
        number=number,
        announced_at=opens_at - timedelta(days=30) if announced else None,
        opens_at=opens_at,
        closes_at=opens_at + timedelta(days=days),
    )
    lucky_number.save_committed(round_)
    return round_


def a_level(round_, rows=EASY, *, slot="main", title=""):
    board = sokoban.Level.parse(rows)
    return Level.objects.create(
        round=round_,
        slot=slot,
        title=title,
        text=rows,
        solution="R",
        sha256=f"{round_.number}{slot}".ljust(64, "0"),
        key=f"{round_.number}{slot}".ljust(64, "0"),
        width=board.width,
        height=board.height,
        boxes=len(board.boxes),
    )


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
    """Post the form as a player; return the receipt's page, or the form with its errors."""

    def post(moves, nickname="Ann", **more):
        return client.post("/en/submit/", {"moves": moves, "nickname": nickname, **more}, follow=True)

    return post
