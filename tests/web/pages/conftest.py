"""A round with a board of five players, and its pages at any time."""

import pytest

from contest import results
from contest.infra import clock
from contest.wording.bilingual import Reason
from tests import cast

MAIN = [("A", 500, 120), ("C", 510, 110), ("B", 500, 118), ("D", 530, 125), ("E", 500, 120), ("B", 520, 110)]


REASON = Reason(en="A goal was missing", zh="少了一个目标")


@pytest.fixture
def round_(during_round):
    cast.enter_all(during_round, MAIN)
    return during_round


@pytest.fixture
def page(client):
    def fetch(address, at, status=200):
        with clock.set_to(at):
            answer = client.get(address)
        assert answer.status_code == status
        return answer.getvalue().decode()

    return fetch


def finalise(round_):
    with clock.set_to(cast.AFTER):
        return results.finalise(round_, at=cast.AFTER, by=None)
