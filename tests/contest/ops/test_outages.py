from contextlib import nullcontext
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import DataError

from contest.infra import clock
from contest.models import FailedIntake, Heartbeat, Outage, Part, Player
from contest.ops import outages
from contest.submissions import acceptance
from tests import cast
from tests.cast import DURING, send

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def beat(at):
    with clock.set_to(at):
        outages.beat()


def recorded():
    return list(Outage.objects.values_list("began_at", "ended_at"))


@pytest.mark.parametrize(("silence", "outage"), [(5 * MINUTE, False), (5 * MINUTE + timedelta(microseconds=1), True)])
def test_a_silence_of_more_than_five_minutes_is_recorded_by_the_next_heartbeat(silence, outage):
    beat(DURING)
    beat(DURING + silence)
    assert recorded() == ([(DURING, DURING + silence)] if outage else [])
    beat(DURING + silence + MINUTE)
    assert len(recorded()) == outage


def test_neither_the_first_heartbeat_nor_a_workers_ends_an_outage():
    Heartbeat.objects.create(part=Part.JUDGE, beat_at=DURING - timedelta(hours=1))
    outages.notice_silence()
    beat(DURING)
    assert recorded() == []


def test_a_worker_records_an_outage_that_lasts_and_the_web_ends_it():
    """Rule 3.10: functions that wait for the outage's record must not wait for the web to return."""
    beat(DURING)
    for minutes in (4, 6, 9):
        with clock.set_to(DURING + minutes * MINUTE):
            outages.notice_silence()
    assert recorded() == [(DURING, DURING + 9 * MINUTE)]
    beat(DURING + 10 * MINUTE)
    assert recorded() == [(DURING, DURING + 10 * MINUTE)]


def test_a_clock_set_back_does_not_hide_the_next_outage():
    beat(DURING + timedelta(days=1))
    beat(DURING)
    beat(DURING + 6 * MINUTE)
    assert recorded() == [(DURING, DURING + 6 * MINUTE)]


@pytest.fixture
def send_at(monkeypatch):
    cast.a_round()
    store = acceptance.Store

    def send_(minutes, *, works):
        monkeypatch.setattr(acceptance, "Store", store if works else Mock(side_effect=RuntimeError))
        with clock.set_to(DURING + minutes * MINUTE), nullcontext() if works else pytest.raises(RuntimeError):
            send(f"player {minutes}", "rR")

    return send_


def test_an_intake_that_keeps_failing_is_an_outage_after_five_minutes(send_at):
    for minutes in (0, 3, 5):
        send_at(minutes, works=False)
    assert recorded() == []
    for minutes in (6, 7):
        send_at(minutes, works=False)
    assert recorded() == [(DURING, DURING + 7 * MINUTE)]


def test_a_stored_submission_ends_a_series_of_failures_and_a_refusal_is_no_failure(send_at):
    with clock.set_to(DURING), pytest.raises(acceptance.Refused):
        send("", "rR")
    assert not FailedIntake.objects.exists()
    send_at(0, works=False)
    send_at(3, works=True)
    send_at(6, works=False)
    send_at(10, works=False)
    assert recorded() == []
    assert FailedIntake.objects.get().began_at == DURING + 6 * MINUTE


def test_a_text_that_fails_alone_is_no_outage(monkeypatch):
    """Or two requests of one sender would delay a reveal by a day."""
    cast.a_round()
    store = acceptance.Store

    def fail_for_one(arrivals):
        if any(arrival.entry.nickname == "bad" for arrival in arrivals):
            raise DataError
        return store(arrivals)

    monkeypatch.setattr(acceptance, "Store", fail_for_one)
    for minutes in (0, 6):
        with clock.set_to(DURING + minutes * MINUTE), pytest.raises(DataError):
            send("bad", "rR")
    assert (recorded(), FailedIntake.objects.count(), Player.objects.count()) == ([], 0, 0)
