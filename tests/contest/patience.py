"""Wait for another thread or process: as long as necessary, but not forever."""

import time
from collections.abc import Callable

import pytest


def wait_until(is_so: Callable[[], object]) -> None:
    for _look in range(12_000):
        if is_so():
            return
        time.sleep(0.005)
    pytest.fail("the condition was not met within a minute")
