"""The cases shared with JavaScript: see tests/data/README.md."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"


def cases(name, fact="name"):
    """Run a test for each case of a file that says this *fact*, each with its name as the test's."""
    found = [case for case in json.loads((DATA / f"{name}.json").read_text("utf-8")) if fact in case]
    return pytest.mark.parametrize("case", found, ids=lambda case: case["name"])
