"""Texts that somebody has read and approved: a test compares what is written now with the files in tests/approved.

After a change that is meant, `pytest --approve` with those tests writes the files again; read the difference in Git.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

FOLDER = Path(__file__).with_name("approved")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--approve", action="store_true", help="write what is compared with approved files into them")


@pytest.fixture
def approved(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that compares a text with the approved file of a name."""

    def compare(name: str, text: str) -> None:
        if connection.vendor != "sqlite":  # rows have other numbers there, and the same texts
            return
        file = FOLDER / name
        if request.config.getoption("approve"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        assert text == (file.read_text() if file.exists() else ""), f"tests/approved/{name}: see tests/approving.py"

    return compare


def shorten(text: str, most: int) -> str:
    """Return *most* lines of a text and the beginning of each long line, with digests of what is left out."""
    lines = [line if len(line) <= 400 else f"{line[:300]} … {_digest(line)}" for line in text.splitlines()]
    return "\n".join(lines if len(lines) <= most else [*lines[:most], f"… {_digest(text)}"])


def _digest(text: str) -> str:
    return f"SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:16]}"
