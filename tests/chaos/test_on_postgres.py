"""PostgreSQL, Redis, two judges, two beats: after every fault each receipt results in one verdict."""

import os

import pytest

from tests.chaos import disturbances
from tests.sizes import cases
from tooling.postgres import postgres_programs
from tooling.redis import find_redis_server

TIMES = int(os.environ.get("CHAOS_TIMES", "1"))
IS_ON_POSTGRES = True
pytestmark = [
    pytest.mark.chaos,
    pytest.mark.skipif(find_redis_server() is None, reason="no Redis server on this machine"),
    pytest.mark.skipif(postgres_programs() is None, reason="no PostgreSQL on this machine"),
]


@pytest.mark.parametrize(
    "disturb",
    cases(disturbances.IN_SHORT_ON_POSTGRES, disturbances.ON_POSTGRES),
    ids=lambda disturbance: disturbance.__name__,
)
@pytest.mark.parametrize("turn", range(TIMES))
def test_no_submission_is_lost_or_doubled(survives, disturb, turn):
    survives(disturb)
