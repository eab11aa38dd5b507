"""Compile the searches by `numba.njit`, with a cache that notices every change, and a clear error without numba.

Modules of this package whose functions carry `kernel` import this one, so only a process that solves loads numba (about
a second; see `solvers.sokoban.kernels` for the few loops that everybody uses). A kernel takes named tuples of arrays
made beforehand, allocates nothing that grows, and does at most some thousand nodes a call: the caller keeps the clock
and calls again. The first call on a machine compiles it (seconds) into the cache; later processes load it from there.

Rules, each measured (docs/decisions/plain-numba.md):

- No kernel calls itself: numba's cached code of a recursive function crashes when it is loaded the second time.
- A function is compiled again for each mixture of types. So a number read from an array of int16 or int32 becomes
  `np.int64` before it is handed on, and a count that begins at 0 and is handed on begins at `np.int64(0)`.
- Numba counts references to arrays, and drops the counting only where it sees it is needless. A function called in
  inner loops takes few arrays, reads an array of a tuple once, at its top, and has one exit.
- A kernel makes no array: its scratch is handed in.
- An unsigned number meets only unsigned ones (`np.uint64(1)`): mixed with Python's integers it becomes a float.
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

TESTED = (0, 63, 1), (0, 68, 1)  # first and last version of numba whose undocumented options are used
PLAIN = "LEITAI_PLAIN_NUMBA"  # in the environment: use none of them, whatever the version

# An array of numpy as a kernel sees it: the docstrings name its shape and type, which numba finds by itself.
Table: TypeAlias = Any


class NoCompiler(RuntimeError):
    """Numba is not installed, and without it a search would take hours."""

    def __init__(self) -> None:
        super().__init__("Solving needs numba and numpy, which are not installed: pip install numba")


def require_compiler() -> None:
    """Raise NoCompiler where numba is missing. Imports nothing."""
    if importlib.util.find_spec("numba") is None:
        raise NoCompiler


@contextmanager
def without_collector() -> Iterator[None]:
    """Switch the garbage collector off meanwhile: numba makes millions of small objects, and hardly a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def kernel(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, which Python calls, at its first call, and keep it in numba's cache."""
    require_compiler()
    config = import_module("numba").config
    before, config.CACHE_DIR = config.CACHE_DIR, str(cache_folder())
    try:
        return _njit(function, cache=True)
    finally:
        config.CACHE_DIR = before


def inner(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, which only kernels call: it is part of each of them, and of their caches."""
    require_compiler()
    return _njit(function, **({} if is_plain() else {"no_cpython_wrapper": True}))


def inlined(function: Callable[..., R]) -> Callable[..., R]:
    """Write *function* into the one place that calls it: passing a tuple of many arrays compiles for seconds."""
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
    """Return whether kernels are compiled with numba's documented options alone.

    Else numba is told not to count references, which kernels never need, and to make no doors that nobody uses.
    """
    from numba import __version__

    return bool(os.environ.get(PLAIN)) or not is_tested(__version__)


def is_tested(version: str) -> bool:
    """Return whether the options that numba does not document have been tested with this *version* of it.

    >>> [is_tested(version) for version in ("0.62.1", "0.63.1", "0.68.1", "0.68.2", "0.69.0rc1")]
    [False, True, True, False, False]
    """
    first, last = TESTED
    return first <= tuple(map(int, re.findall(r"\d+", version)[:3])) <= last


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels: NUMBA_CACHE_DIR, else beside this file, else the user's cache.

    In it is a folder for each state of the kernels' sources. Numba compares the file of the kernel alone, not those of
    the functions it calls (numba issue 1833).
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
    """Delete the kernels of other states of the sources, if the cache is beside this file: no checkout shares it."""
    folder = cache_folder()
    if folder.parent == Path(__file__).with_name("__pycache__"):
        for other in folder.parent.glob("kernels-*"):
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
