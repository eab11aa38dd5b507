"""Versions of numba whose internals our compiler relies on; with any other, kernels are compiled by plain `numba.njit`.

`drafts`, `indexing`, `passing` and `shortcuts` use what numba promises nobody: with another version they may fail, or
compile something else. tests/solvers/test_numba_versions.py tries the oldest and the newest version (CONTRIBUTING.md).
"""

import os
import re
from functools import cache

TESTED = (0, 63, 1), (0, 68, 1)  # the first and the last
PLAIN = "LEITAI_PLAIN_NUMBA"  # in the environment: compile by `numba.njit` whatever the version


@cache
def is_plain() -> bool:
    """Return whether kernels are compiled by plain `numba.njit`."""
    from numba import __version__  # takes most of a second, and only solving needs it

    return bool(os.environ.get(PLAIN)) or not is_tested(__version__)


def is_tested(version: str) -> bool:
    """Return whether our compiler has been tested with this *version* of numba.

    >>> [is_tested(version) for version in ("0.62.1", "0.63.1", "0.68.1", "0.68.2", "0.69.0rc1")]
    [False, True, True, False, False]
    """
    first, last = TESTED
    return first <= tuple(map(int, re.findall(r"\d+", version)[:3])) <= last
