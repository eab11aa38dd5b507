"""Answers of the search process for each result of the searches."""

import pytest

from contest.vetting import searcher
from solvers.sokoban import Level
from solvers.sokoban.making.series import ladder, rooms
from solvers.sokoban.solving.answers import Proof, Unsolvable
from tests import cast


def answer(level, kind="vetting", seconds=20):
    results = searcher.Results(seconds, 256, lambda progress: None)
    searcher._TASKS[kind](level, results, {"kind": kind, "act": "solve", "aim": "any"})
    return results.document()


@pytest.mark.parametrize("level", [Level.parse(cast.CORNER), rooms(6).level], ids=["corner", "rooms"])
@pytest.mark.parametrize("kind", ["vetting", "asked"])
def test_a_single_search_cannot_prove_a_level_unsolvable(monkeypatch, kind, level):
    """A level is only rejected if two searches agree."""
    search = "solvers.sokoban.solving.solver.solve"
    monkeypatch.setattr(search, lambda *_level, **_options: Unsolvable(Proof.EXHAUSTED, by="greedy"))
    assert answer(level, kind)["answer"] == "solved"


def test_an_undecided_level_has_a_limit_and_bounds():
    found = answer(ladder(14).level, seconds=0)
    assert (found["answer"], found["limit"], found["found"]) == ("unknown", "cpu_seconds", {})
    assert found["least_moves"] >= found["least_pushes"] > 20
