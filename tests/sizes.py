"""Two sizes of a run: short, and everything with `--exhaustive` (CONTRIBUTING.md)."""

from collections.abc import Iterable
from typing import Any

import pytest

# Tests that the short size runs on PostgreSQL too: the way from a submission to its ranking, once through each door.
ON_BOTH_DATABASES = (
    "tests/api/test_entrance.py",
    "tests/api/test_submissions.py",
    "tests/contest/infra/database/",
    "tests/contest/judging/",
    "tests/contest/rankings/test_standings",
    "tests/contest/submissions/",
    "tests/desk/test_publishing.py",
    "tests/legacy/letslogic/test_calls.py",
    "tests/legacy/test_protocol.py",
    "tests/web/pages/test_pages.py",
    "tests/web/play/",
)


def cases(short: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Return values for `parametrize`: those in *short* run in both sizes, the *others* in the exhaustive one alone."""
    chosen = list(short)
    return [*chosen, *(_exhaustive(value) for value in others if value not in chosen)]


def _exhaustive(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.exhaustive)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run every test, and each that may differ on PostgreSQL")


def is_short(item: pytest.Item, database: str) -> bool:
    """Whether the short size runs *item* on *database*, named as Django names its vendor."""
    if item.get_closest_marker("exhaustive"):
        return False
    if database == "sqlite" or item.get_closest_marker("postgres"):
        return True
    return item.nodeid.startswith(ON_BOTH_DATABASES)
