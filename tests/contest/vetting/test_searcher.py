"""What the process that searches makes of what the searches say."""

import pytest

from contest.vetting import searcher
from solvers.sokoban import Level
from solvers.sokoban.making.series import rooms
from solvers.sokoban.solving.answers import Proof, Unsolvable
from tests import cast


@pytest.fixture
def wrong(monkeypatch):
    """A search that takes a level for one without solution, as one of its ways to cut branches might make it."""
    search = "solvers.sokoban.solving.solver.solve"
    monkeypatch.setattr(search, lambda *_level, **_options: Unsolvable(Proof.EXHAUSTED, by="greedy"))


@pytest.mark.parametrize("level", [Level.parse(cast.CORNER), rooms(6).level], ids=["corner", "rooms"])
@pytest.mark.parametrize("kind", ["vetting", "asked"])
def test_no_search_alone_proves_that_there_is_no_solution(wrong, kind, level):
    """What keeps a level out of a round takes two searches that agree."""
    notes = searcher.Notes(20, 256, lambda told: None)
    searcher._TASKS[kind](level, notes, {"act": "solve", "aim": "any"})
    assert notes.document()["answer"] == "solved"
