"""The search process, as a worker starts it: it answers in lines, and ends when either process does."""

import os
import select
import signal
import subprocess
import sys

import pytest

from contest.vetting.process import BrokeOff, Searching
from tests import cast

QUESTION = {"kind": "vetting", "text": cast.CORNER, "act": "", "aim": "", "given": {}, "seconds": 9, "megabytes": 256}
ASKING = """
from contest.vetting.process import Searching
searching = Searching()
print(searching._start().pid, flush=True)
searching.answer(%r, lambda told: None)
"""


def test_a_fault_costs_its_answer_and_not_the_next():
    told = []
    with Searching() as searching:
        with pytest.raises(BrokeOff, match="KeyError"):
            searching.answer(QUESTION | {"kind": "guess"}, told.append)
        assert told[0]["part"] == "preparing"
        done = searching.answer(QUESTION, told.append)
        assert (done["answer"], done["found"]["moves"]["moves"], done["band"]) == ("solved", 5, 1)


def test_a_process_that_dies_costs_its_answer():
    with Searching() as searching, pytest.raises(BrokeOff, match="has ended"):
        searching.answer(QUESTION, lambda _told: os.kill(searching._start().pid, signal.SIGKILL))


def test_the_process_ends_with_a_worker_that_was_killed():
    """kill -9 of the worker must also end the search that it started."""
    asker = subprocess.Popen([sys.executable, "-c", ASKING % QUESTION], stdout=subprocess.PIPE)
    with asker.stdout as said:
        searcher = os.pidfd_open(int(said.readline()))
    asker.kill()
    asker.wait()
    has_ended, _, _ = select.select([searcher], [], [], 60)
    os.close(searcher)
    assert has_ended
