"""Timing of the path search in the lab's hall, by a worker of this site, for the page that compares players.

A separate process measures, as everybody can: `python -m solvers.sokoban speed --json`. A worker that has compiled the
kernels could not time plain Python. Only the result is stored, in the cache, for a week.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.core.cache import cache

log = logging.getLogger(__name__)

_CACHED_SECONDS = 7 * 24 * 3600
_ASKED_SECONDS = 600  # after this time without a result a worker may be asked again
_LONGEST_SECONDS = 120
_KEY = "speed:1"
_COMMAND = (sys.executable, "-m", "solvers.sokoban", "speed", "--json")


def latest(*, ask: Callable[[], object]) -> dict[str, Any] | None:
    """Return the last measurement with its time in "at", or None after asking a worker for one.

    Without a cache there is none.
    """
    try:
        found: dict[str, Any] | None = cache.get(_KEY)
        if found is None and cache.add(f"{_KEY}:asked", 1, _ASKED_SECONDS):
            ask()
    except Exception as error:  # The cache client may raise any exception.
        log.warning("The measurement of the lab was not looked up (%s).", error)
        return None
    return found


def measure_and_cache(at: datetime) -> None:
    """Measure in a process of its own, and cache the result unless that fails."""
    try:
        done = subprocess.run(_COMMAND, capture_output=True, timeout=_LONGEST_SECONDS, check=True)  # noqa: S603 - fixed
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("The path search of the lab was not measured (%s).", error)
        return
    cache.set(_KEY, {**json.loads(done.stdout), "at": at}, _CACHED_SECONDS)
