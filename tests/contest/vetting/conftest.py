"""Searches in this process, which loads its kernels once for all tests."""

from types import SimpleNamespace
from unittest import mock

import pytest

from contest.vetting import searcher, worker


class SearchingHere:
    """What the process that searches would answer, without the process."""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        """Nothing has to end."""

    def answer(self, question, tell):
        with mock.patch.object(searcher, "_write", lambda document: tell(document["progress"])):
            return searcher._answer(question)


@pytest.fixture(autouse=True)
def searching(monkeypatch):
    """What answers; a test may let it say something else."""
    here = SearchingHere()
    monkeypatch.setattr(worker, "Searching", lambda: here)
    return here


@pytest.fixture
def no_wait(monkeypatch):
    """A clock of the worker that goes on by itself while the worker sleeps."""
    now = [0.0]
    time = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    monkeypatch.setattr(worker, "time", time)
    return now
