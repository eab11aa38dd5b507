import hashlib
import signal
from datetime import timedelta

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Door, Heartbeat, Outage, Part, Reader, State, Submission, Verification
from tests import cast
from tests.contest.patience import wait_until
from tests.sizes import cases
from tooling.site import Address, judge_command, web_command, worker_command

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

SLOW = "rl" * 250_000


def queue_of(count):
    now = clock.now()
    round_ = cast.a_round(opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    player = cast.send("player", "rR").submission.player
    texts = [(SLOW + "r" * number).encode() for number in range(count)]
    Submission.objects.bulk_create(
        Submission(
            receipt_id=f"receipt {number}",
            round=round_,
            player=player,
            sent_as=player,
            text=text,
            sha256=hashlib.sha256(text).hexdigest(),
            door=Door.API,
            reader=Reader.RUN_LENGTH,
            received_at=now,
        )
        for number, text in enumerate(texts)
    )


def in_state(state):
    return Submission.objects.filter(state=state).count()


@pytest.mark.parametrize("pool", cases(["prefork"], ["solo"]))
def test_a_stopped_worker_releases_its_claims(start, pool):
    queue_of(30)
    worker = start(worker_command("judge", pool))
    wait_until(lambda: in_state(State.RUNNING))
    worker.process.send_signal(signal.SIGTERM)
    assert worker.process.wait(120) == 0
    assert in_state(State.RUNNING) == 0
    assert set(Submission.objects.filter(state=State.QUEUED).values_list("attempts", flat=True)) <= {0}
    judging.judge_until_empty()
    assert in_state(State.JUDGED) == Verification.objects.count() == 31


def test_a_worker_judges_without_a_broker(start):
    queue_of(1)
    start(judge_command(), REDIS_URL="redis://127.0.0.1:1")
    wait_until(lambda: in_state(State.JUDGED) == 2)


def test_the_web_records_an_outage_before_it_serves_again(start):
    """Rule 3.10."""
    began_at = clock.now() - timedelta(hours=1)
    Heartbeat.objects.create(part=Part.WEB, beat_at=began_at)
    start(web_command(Address("127.0.0.1", 0)))
    wait_until(Outage.objects.exists)
    outage = Outage.objects.get()
    assert (outage.began_at, clock.now() - outage.ended_at < timedelta(minutes=1)) == (began_at, True)
