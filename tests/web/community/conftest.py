"""Browsers of several people, with a revealed round and a collection."""

from datetime import timedelta

import pytest

from contest.infra import clock
from tests import cast


@pytest.fixture
def revealed(db):
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        round_ = cast.a_round()
        cast.a_collection(boards=["#######|#@--$.#|#######"])
        cast.enter_all(round_, [("Ann", 9, 3), ("Bo", 8, 4), ("Cy", 7, 5)])
        yield round_


@pytest.fixture
def browser(revealed):
    return cast.browser_of
