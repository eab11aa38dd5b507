import json
import subprocess
from datetime import UTC, datetime

import pytest

from contest.vetting import speed

MEASURED = {
    "timings": [{"fewest": "pushes", "plain": 4.75, "kernel": 0.5}, {"fewest": "moves", "plain": 66.0, "kernel": None}],
    "processor": "A processor",
    "python": "3.11.9",
}
AT = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)


@pytest.mark.usefixtures("cache_of_its_own")
def test_the_first_visit_asks_a_worker_once_and_later_ones_show_its_result(monkeypatch):
    asked = []
    assert speed.latest(ask=lambda: asked.append(1)) is None
    speed.latest(ask=lambda: asked.append(1))
    assert asked == [1]
    done = subprocess.CompletedProcess([], 0, json.dumps(MEASURED))
    monkeypatch.setattr(subprocess, "run", lambda *_command, **_options: done)
    speed.measure_and_cache(AT)
    assert speed.latest(ask=asked.clear) == {**MEASURED, "at": AT}
