"""Compile kernels with `numba.njit`, with a cache that detects every source change, and a clear error without numba.

Modules with `kernel` functions import this one, so only a process that solves loads numba (about
a second; see `solvers.sokoban.kernels` for the few loops that every process uses). A kernel takes named tuples of
preallocated arrays and runs at most some thousand nodes per call; the caller checks the budget and calls again. The
first call on a machine compiles it (seconds) into the cache; later processes load it from there.

Rules, each measured (docs/explanation/decisions/plain-numba.md):

- No kernel is recursive: numba's cached code of a recursive function crashes when loaded a second time.
- A function is compiled again for each combination of types. So a number read from an int16 or int32 array becomes
  `np.int64` before it is passed on, and a count that begins at 0 and is passed on begins at `np.int64(0)`.
- Numba counts references to arrays, and omits that only if it can prove it unnecessary. A function called in
  inner loops takes few arrays, reads an array of a tuple once, at its top, and has one exit.
- A kernel allocates no array: its scratch arrays are parameters.
- Unsigned numbers are combined only with unsigned ones (`np.uint64(1)`): with Python's integers they become floats.
"""

import gc
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

R = TypeVar("R")

TESTED = (0, 63, 1), (0, 68, 1)  # first and last version of numba whose undocumented options are tested
PLAIN = "LEITAI_PLAIN_NUMBA"  # environment variable: use no undocumented options with any version

# A NumPy array as a kernel sees it: docstrings give its shape and type, which numba infers.
Table: TypeAlias = Any


class NoCompiler(RuntimeError):
    """Numba is not installed, and without it a search would take hours."""

    def __init__(self) -> None:
        super().__init__("Solving needs numba and numpy, which are not installed: pip install numba")


def require_compiler() -> None:
    """Raise NoCompiler if numba is missing. Imports nothing."""
    if importlib.util.find_spec("numba") is None:
        raise NoCompiler


@contextmanager
def without_collector() -> Iterator[None]:
    """Disable the garbage collector within the context: numba creates millions of small objects and hardly a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def kernel(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, a kernel called from Python, at its first call, and store it in numba's cache."""
    require_compiler()
    config = import_module("numba").config
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        return _njit(function, cache=True)
    finally:
        config.CACHE_DIR = before


def inner(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, called only by kernels: it is part of each of them, and of their caches."""
    require_compiler()
    return _njit(function, **({} if is_plain() else {"no_cpython_wrapper": True}))


def inlined(function: Callable[..., R]) -> Callable[..., R]:
    """Inline *function* at its single call site: passing a tuple of many arrays takes seconds to compile."""
    require_compiler()
    return _njit(function, inline="always")


def _njit(function: Callable[..., R], **options: Any) -> Callable[..., R]:
    from numba import njit  # takes most of a second, and only solving needs it

    if not is_plain():
        options |= {"_nrt": False, "no_cfunc_wrapper": True}
    compiled: Callable[..., R] = njit(nogil=True, error_model="numpy", **options)(function)
    return compiled


@cache
def is_plain() -> bool:
    """Return whether kernels are compiled with numba's documented options only.

    Otherwise reference counting, which kernels never need, and unused entry points are disabled.
    """
    from numba import __version__

    return bool(os.environ.get(PLAIN)) or not is_tested(__version__)


def is_tested(version: str) -> bool:
    """Return whether numba's undocumented options have been tested with this *version*.

    >>> [is_tested(version) for version in ("0.62.1", "0.63.1", "0.68.1", "0.68.2", "0.69.0rc1")]
    [False, True, True, False, False]
    """
    first, last = TESTED
    return first <= tuple(map(int, re.findall(r"\d+", version)[:3])) <= last


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels: NUMBA_CACHE_DIR, else next to this file, else the user's cache.

    It has a subfolder for each state of the kernels' sources, because numba compares only the kernel's own file, not
    those of the functions it calls (numba issue 1833).
    """
    numba = import_module("numba")
    beside = Path(__file__).with_name("__pycache__")
    is_writable = os.access(beside if beside.exists() else beside.parent, os.W_OK)
    base = Path(numba.config.CACHE_DIR or (beside if is_writable else Path.home() / ".cache" / "leitai"))
    digest = sha256(f"{numba.__version__} {is_plain()}".encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        if b"solving.compiling import" in (source := path.read_bytes()) or path == Path(__file__):
            digest.update(source)
    return base / f"kernels-{digest.hexdigest()[:16]}"


def forget_other_sources() -> None:
    """Delete kernels of other source states if the cache is next to this file, where no other checkout uses it."""
    folder = cache_folder()
    if folder.parent == Path(__file__).with_name("__pycache__"):
        for other in folder.parent.glob("kernels-*"):
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
