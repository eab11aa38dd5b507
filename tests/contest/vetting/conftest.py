"""One process that searches for all tests: it loads its kernels once."""

import pytest

from contest.vetting import worker
from contest.vetting.process import Searching


class Kept(Searching):
    """One that is there for the next test, unless a test has ended it."""

    def __exit__(self, *_error: object) -> None:
        """Stay."""


@pytest.fixture(scope="session")
def kept():
    searching = Kept()
    yield searching
    searching.end()


@pytest.fixture(autouse=True)
def _kept(kept, monkeypatch):
    monkeypatch.setattr(worker, "Searching", lambda: kept)
