"""What real workers do with a search when they are told to stop, or killed."""

import signal
import time
from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Search, SearchState
from contest.vetting import orders
from solvers.sokoban.making.series import ladder
from tests.contest.conftest import start
from tooling.site import judge_command

__all__ = ["start"]  # a fixture

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def wait_until(is_so, limit=90.0):
    until = time.monotonic() + limit
    while not is_so(Search.objects.get()):
        assert time.monotonic() < until
        time.sleep(0.1)


def is_running(search: Search) -> bool:
    return search.state == SearchState.RUNNING


def test_a_killed_worker_loses_no_vetting(start):
    """Kill -9: the lease ends, and the next worker takes the search."""
    orders.vet_all([ladder(14).level], seconds=600)
    worker = start(judge_command())
    wait_until(is_running)
    worker.process.kill()
    worker.process.wait()
    held = Search.objects.get()
    assert (held.state, held.attempts) == (SearchState.RUNNING, 1)
    Search.objects.update(lease_until=clock.now() - timedelta(seconds=1))
    start(judge_command())
    wait_until(lambda search: is_running(search) and search.attempts == 2)
    orders.cancel(Search.objects.all())
    wait_until(lambda search: search.state == SearchState.CANCELLED)


def test_a_worker_that_is_told_to_stop_gives_its_search_back(start):
    orders.vet_all([ladder(14).level], seconds=600)
    worker = start(judge_command())
    wait_until(is_running)
    worker.process.send_signal(signal.SIGTERM)
    wait_until(lambda search: search.state == SearchState.QUEUED)
    assert worker.process.wait(timeout=30) is not None
    assert Search.objects.get().attempts == 0
