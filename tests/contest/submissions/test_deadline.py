"""A hundred programs at the last moment, through real HTTP: each is answered in time or late, and none is lost."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Submission
from contest.players import api_tokens
from tests import cast
from tests.contest.infra.test_limits_under_fire import HEADERS, ask, site

__all__ = ["site"]  # a fixture
pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
BOTS = 100


def test_a_hundred_bots_at_the_deadline_are_all_in_time_or_late(site):
    """Rules 3.2, 3.8, 5.4."""
    now = clock.now()
    made = [api_tokens.make_program(f"bot {number}", None, now)[0] for number in range(BOTS)]
    texts = [api_tokens.make(player, None, now).text for player in made]
    port = site()
    closes_at = clock.now() + timedelta(seconds=8)
    round_ = cast.a_round(opens_at=now - timedelta(days=1), closes_at=closes_at)

    def send(text, number):
        body = json.dumps({"moves": "rl" * number, "round": round_.number})
        return ask(port, "POST", "/api/v1/submissions/", body, HEADERS | {"Authorization": f"Bearer {text}"})

    def send_until_late(text):
        time.sleep(max(0.0, (closes_at - clock.now()).total_seconds() - 0.5))
        answers = []
        for number in range(1, 10):
            answers.append(send(text, number))
            if answers[-1][0] != 202:
                break
        return answers

    early = send(texts[0], 10)  # in time even where the machine is too busy for the others
    with ThreadPoolExecutor(BOTS) as senders:
        answers = [early, *(answer for answers in senders.map(send_until_late, texts) for answer in answers)]
    codes = {json.loads(body)["code"] for status, body, _ in answers if status != 202}
    receipts = {json.loads(body)["number"] for status, body, _ in answers if status == 202}
    assert {status for status, _, _ in answers} <= {202, 409}
    assert codes == {"late"}
    assert set(Submission.objects.values_list("number", flat=True)) == receipts
    assert receipts
    assert not Submission.objects.filter(received_at__gte=closes_at).exists()
