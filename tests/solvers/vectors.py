"""Test cases shared with JavaScript: see tests/data/README.md."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from solvers.errors import PuzzleError

DATA = Path(__file__).parents[1] / "data"


def cases(name, fact="name"):
    found = [case for case in json.loads((DATA / f"{name}.json").read_text("utf-8")) if fact in case]
    return pytest.mark.parametrize("case", found, ids=lambda case: case["name"])


@contextmanager
def refused(error):
    """Check that the block raises a PuzzleError with the code, the place and the values of a case's *error*."""
    with pytest.raises(PuzzleError) as raised:
        yield
    assert {name: getattr(raised.value, name) for name in error} == error
