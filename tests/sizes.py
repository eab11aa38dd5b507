"""Two sizes of a run: short, and everything with `--exhaustive` (CONTRIBUTING.md)."""

from collections.abc import Iterable
from typing import Any

import pytest

# Tests that the short run repeats on PostgreSQL: the path from a submission to its ranking, once per entry point.
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
    """Return values for `parametrize`: *short* values run in both sizes, *others* only in the exhaustive one."""
    chosen = list(short)
    return [*chosen, *(_exhaustive(value) for value in others if value not in chosen)]


def _exhaustive(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.exhaustive)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run every test, and each that may differ on PostgreSQL")


def is_short(item: pytest.Item, database: str) -> bool:
    """Return whether the short run includes *item* on *database*, a vendor name of Django."""
    if item.get_closest_marker("exhaustive"):
        return False
    if database == "sqlite" or item.get_closest_marker("postgres"):
        return True
    return item.nodeid.startswith(ON_BOTH_DATABASES)
