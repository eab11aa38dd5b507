"""SQLite and the Redis of one box: whatever is killed, paused or emptied, each receipt becomes one verdict."""

import pytest

from tests.chaos import disturbances
from tests.sizes import cases
from tooling.redis import redis_server

IS_ON_POSTGRES = False
pytestmark = [
    pytest.mark.chaos,
    pytest.mark.skipif(redis_server() is None, reason="no Redis server on this machine"),
]


@pytest.mark.parametrize(
    "disturb", cases(disturbances.IN_SHORT_ON_ONE_BOX, disturbances.ON_ONE_BOX), ids=lambda one: one.__name__
)
def test_nothing_is_lost_or_doubled(survives, disturb):
    survives(disturb)
