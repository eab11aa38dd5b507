"""The search process, as a worker starts it: it answers in lines, and ends when either process does."""

import os
import select
import signal
import subprocess
import sys

import pytest

from contest.vetting.process import SearchFailed, SearchProcess
from tests import cast

QUESTION = {"kind": "vetting", "text": cast.CORNER, "act": "", "aim": "", "given": {}, "seconds": 9, "megabytes": 256}
ASKING = """
from contest.vetting.process import SearchProcess
process = SearchProcess()
print(process._start().pid, flush=True)
process.answer(%r, lambda progress: None)
"""


def test_an_error_or_the_end_of_the_process_costs_only_the_answer_it_belongs_to():
    reported = []
    with SearchProcess() as process:
        with pytest.raises(SearchFailed, match="KeyError"):
            process.answer(QUESTION | {"kind": "guess"}, reported.append)
        assert next(filter(None, reported))["part"] == "preparing"
        done = process.answer(QUESTION, reported.append)
        assert (done["answer"], done["found"]["moves"]["moves"], done["band"]) == ("solved", 5, 1)
        with pytest.raises(SearchFailed, match="has ended"):
            process.answer(QUESTION, lambda _progress: os.kill(process._start().pid, signal.SIGKILL))


def test_the_process_ends_when_its_worker_is_killed():
    """kill -9 of the worker must also end the search that it started."""
    worker = subprocess.Popen([sys.executable, "-c", ASKING % QUESTION], stdout=subprocess.PIPE)
    with worker.stdout as output:
        process_fd = os.pidfd_open(int(output.readline()))
    worker.kill()
    worker.wait()
    has_ended, _, _ = select.select([process_fd], [], [], 60)
    os.close(process_fd)
    assert has_ended
