"""A revealed round that Ann and Bo have solved, and a collection of other boards."""

from datetime import timedelta

import pytest

from contest import players
from contest.infra import clock
from contest.models import Player
from contest.visibility import Viewer
from tests import cast

LONG = "#######|#@--$.#|#######"


@pytest.fixture
def revealed(db):
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        round_ = cast.a_round()
        cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4), ("Cy", 7, 5), ("Dee", 6, 5)])
        yield round_


@pytest.fixture
def level(revealed):
    return revealed.levels.get(slot="main")


@pytest.fixture
def collected(db):
    return cast.a_collection(boards=[LONG]).levels.get()


def person(nickname: str) -> Player:
    known = Player.objects.filter(nickname=nickname).first()
    return known or players.create(nickname, country="", email="", at=clock.now())[0]


def viewer(*nicknames: str) -> Viewer:
    return Viewer(proved=frozenset(person(nickname).pk for nickname in nicknames))
