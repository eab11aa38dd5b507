"""The examples in the docstrings of the site."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    file.relative_to(ROOT) for file in sorted((ROOT / "contest").rglob("*.py")) if ">>> " in file.read_text("utf-8")
]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_examples_of_a_module_answer_as_they_say(file):
    module = import_module(".".join(file.with_suffix("").parts))
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0
