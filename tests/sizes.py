"""Two sizes of a run: short, and everything with `--exhaustive` (CONTRIBUTING.md)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

# Tests that the short run repeats on PostgreSQL: the path from a submission to its ranking, once per entry point, and
# the modules on it that have their own SQL or locks.
ON_BOTH_DATABASES = (
    "tests/api/test_submissions.py",
    "tests/contest/infra/database/",
    "tests/contest/judging/test_claims.py",
    "tests/contest/judging/test_judge.py",
    "tests/contest/judging/test_pruning.py",
    "tests/contest/judging/test_receipt_chain.py",
    "tests/contest/judging/test_rejudge.py",
    "tests/contest/judging/test_trouble.py",
    "tests/contest/organising/test_long_acts.py",
    "tests/contest/rankings/test_standings.py",
    "tests/contest/submissions/sealed_answers/test_opening.py",
    "tests/contest/submissions/test_acceptance.py",
    "tests/contest/submissions/test_collected.py",
    "tests/contest/submissions/test_store.py",
    "tests/contest/submissions/test_turns.py",
    "tests/desk/test_publishing.py",
    "tests/legacy/letslogic/test_calls.py",
    "tests/legacy/test_protocol.py::test_a_worse_or_repeated_solution",
    "tests/legacy/test_protocol.py::test_an_invalid_name",
    "tests/legacy/test_protocol.py::test_every_verdict",
    "tests/legacy/test_protocol.py::test_the_android_program",
    "tests/web/pages/test_pages.py",
    "tests/web/play/test_entering.py",
    "tests/web/play/test_playing.py",
)


def cases(short: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Return values for `parametrize`: *short* values run in both sizes, *others* only in the exhaustive one."""
    chosen = list(short)
    return [*chosen, *(_exhaustive(value) for value in others if value not in chosen)]


def _exhaustive(value: Any) -> Any:
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.exhaustive)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run every test, and each that may differ on PostgreSQL")


def has_short_tests(file: Path, root: Path, database: str) -> bool:
    """Return whether *file* may have tests of the short run on *database*. Reading a file is quicker than importing it.

    Folders are always searched.
    """
    if database == "sqlite" or not file.name.startswith("test_") or file.suffix != ".py":
        return True
    repeated = tuple(name.partition("::")[0] for name in ON_BOTH_DATABASES)
    is_repeated = file.relative_to(root).as_posix().startswith(repeated)
    return is_repeated or "pytest.mark.postgres" in file.read_text()


def is_short(item: pytest.Item, database: str) -> bool:
    """Return whether the short run includes *item* on *database*, a vendor name of Django."""
    if item.get_closest_marker("exhaustive"):
        return False
    if database == "sqlite" or item.get_closest_marker("postgres"):
        return True
    return item.nodeid.startswith(ON_BOTH_DATABASES)
