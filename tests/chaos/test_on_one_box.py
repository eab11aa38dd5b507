"""SQLite and the Redis of one box: after every fault each receipt results in one verdict."""

import os

import pytest

from tests.chaos import disturbances
from tests.sizes import cases
from tooling.redis import find_redis_server

TIMES = int(os.environ.get("CHAOS_TIMES", "1"))
IS_ON_POSTGRES = False
pytestmark = [
    pytest.mark.chaos,
    pytest.mark.skipif(find_redis_server() is None, reason="no Redis server on this machine"),
]


@pytest.mark.parametrize(
    "disturb",
    cases(disturbances.IN_SHORT_ON_ONE_BOX, disturbances.ON_ONE_BOX),
    ids=lambda disturbance: disturbance.__name__,
)
@pytest.mark.parametrize("turn", range(TIMES))
def test_no_submission_is_lost_or_doubled(survives, disturb, turn):
    survives(disturb)
