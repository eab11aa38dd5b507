"""A request that was complete in time is in time at every door, however long it waited for a thread (rule 3.3)."""

import contextvars
import time
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.legacy.letslogic.rounds import enter
from contest.levels.files import number_of
from contest.models import Level, SealedAnswer, Submission
from contest.players import api_tokens
from tests import cast
from tests.api.test_sealed import a_text, entry

pytestmark = pytest.mark.django_db
SENT = {"nickname": "Ann", "moves": "rR"}


def by_a_letslogic_program(_client, robo):
    return enter(robo, number_of(Level.objects.get(slot="main")), "rR", "", clock.now())


def sealed(client, robo):
    text = entry(a_text(robo.player.archive_number))
    head = {"Authorization": f"Bearer {vars(robo)['text']}"}
    return client.post("/api/v1/rounds/1/sealed/", text, JSON, headers=head)


JSON, FORM = "application/json", "application/x-www-form-urlencoded"
DOORS = {
    "on the web": lambda client, _robo: client.post("/en/submit/", SENT),
    "in a list": lambda client, _robo: client.post("/api/v1/submissions/", {"submissions": [SENT]}, JSON),
    "alone": lambda client, _robo: client.post("/api/v1/submissions/", SENT, JSON),
    "by an older program": lambda client, _robo: client.post("/submit_result.php", b"nickname=Ann&lurd=rR", FORM),
    "by a letslogic program": by_a_letslogic_program,
    "sealed": sealed,
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_request_that_waited_is_dated_by_its_arrival(door, client):
    cast.with_settings(cast.a_round(), sealed_answers=True)
    program = api_tokens.make_program("Robo", None, cast.DURING)[0]
    made = api_tokens.make(program, None, cast.DURING)
    robo = api_tokens.of_text(made.text, cast.DURING)
    vars(robo)["text"] = made.text
    with clock.set_to(cast.CLOSES + timedelta(seconds=2)):
        contextvars.copy_context().run(_answer_late, door, client, robo)
    row = Submission.objects.first() or SealedAnswer.objects.get()
    assert row.received_at < cast.CLOSES


def _answer_late(door, client, robo):
    clock.note_arrival(time.monotonic() - 4)
    door(client, robo)
