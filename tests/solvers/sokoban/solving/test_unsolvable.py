"""Levels without a solution, none of which may ever be called solvable."""

from pathlib import Path

import pytest

from solvers.sokoban.formats import read_collection
from solvers.sokoban.solving.answers import Unsolvable
from solvers.sokoban.solving.budget import Budget
from solvers.sokoban.solving.solver import prove

ENTRIES = read_collection((Path(__file__).resolve().parents[3] / "data" / "unsolvable.sok").read_bytes()).entries


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_it_is_proved_unsolvable(entry):
    assert isinstance(prove(entry.level, budget=Budget(nodes=500_000)), Unsolvable)
