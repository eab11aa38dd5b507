"""Which tests took long when they last ran here: `--at-most SECONDS` leaves those out (`dev.py test --fast`).

Kept with pytest's cache, for each database. What has not run yet is left out by no one.
"""

from collections import Counter

import pytest
from django.db import connection

LEAST = 0.01  # seconds: what takes less is not worth a line


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--at-most", type=float, metavar="SECONDS", help="leave out what took longer when it last ran")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # of several processes one is told what all of them run
        config.pluginmanager.register(_Stopwatch(config))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    most = config.getoption("--at-most")
    if most is None:
        return
    took = _known(config)
    long = [item for item in items if took.get(item.nodeid, 0.0) > most]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if took.get(item.nodeid, 0.0) <= most]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if most := config.getoption("--at-most"):
        terminalreporter.write_line(f"Left out: what took more than {most:g} s when it last ran here.")


class _Stopwatch:
    """Notes what each test takes, without what it shares with others: a fixture's time is that of its first test."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._took: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self._took[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        others = {name: seconds for name, seconds in _known(self._config).items() if name not in self._took}
        mine = {name: round(seconds, 2) for name, seconds in self._took.items() if seconds >= LEAST}
        _keep(self._config, others | mine)


def _known(config: pytest.Config) -> dict[str, float]:
    """Seconds of each test that takes some; of none where pytest keeps nothing."""
    cache = getattr(config, "cache", None)
    return {} if cache is None else cache.get(_key(), {})


def _keep(config: pytest.Config, seconds: dict[str, float]) -> None:
    cache = getattr(config, "cache", None)
    if cache is not None:
        cache.set(_key(), seconds)


def _key() -> str:
    return f"durations/{connection.vendor}"
