"""Searches inside this process, which loads the kernels once for all tests."""

from contextlib import nullcontext
from types import SimpleNamespace
from unittest import mock

import pytest

from contest.vetting import searcher, worker


def _answer(question, report):
    with mock.patch.object(searcher, "_write", lambda document: report(document["progress"])):
        return searcher._answer_question(question)


@pytest.fixture(autouse=True)
def search_process(monkeypatch):
    """The search process of the worker, run in this one; a test may replace its answers."""
    here = SimpleNamespace(answer=_answer)
    monkeypatch.setattr(worker, "SearchProcess", lambda: nullcontext(here))
    return here


@pytest.fixture
def no_wait(monkeypatch):
    """A clock of the worker that advances while the worker sleeps."""
    now = [0.0]
    time = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    monkeypatch.setattr(worker, "time", time)
    return now
