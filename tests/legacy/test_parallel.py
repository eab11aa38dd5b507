"""The older programs all at once, through real HTTP and two web processes."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Submission
from tests import cast
from tests.contest.conftest import start  # noqa: F401 - a fixture
from tests.contest.infra.test_limits_under_fire import ask, site  # noqa: F401 - a fixture
from tests.legacy.conftest import android, shown_by_client

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def port(site):  # noqa: F811 - the fixture above
    now = clock.now()
    cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    return site()


def post_all(port, bodies):
    with ThreadPoolExecutor(50) as senders:
        answers = list(senders.map(lambda body: ask(port, "POST", "/submit_result.php", body, FORM), bodies))
    assert {status for status, _, _ in answers} == {200}
    return [body.decode() for _, body, _ in answers]


def test_t20_the_same_text_twice_at_once_is_one_submission_and_two_successes(port):
    """Rule 5.6."""
    said = post_all(port, [android("Ada", "rR", email="ada@hidden.example")] * 2)
    assert {shown_by_client(text) for text in said} == {"correct (for "}
    assert Submission.objects.count() == 1


def test_t23_of_fifty_at_once_exactly_the_limit_is_taken(port):
    """Rule 5.9."""
    bodies = [android("Ada", "rl" * number + "rR", email="ada@hidden.example") for number in range(50)]
    shown = Counter(shown_by_client(text) for text in post_all(port, bodies))
    assert shown == {"correct (for ": 10, "unknown situation": 40}
    assert Submission.objects.count() == 10
