"""How the searches are compiled: one decorator, numba's cache, and a clear error where numba is missing.

Modules of this package whose functions carry `kernel` import this one, so only a process that solves loads numba (about
a second; see `solvers.sokoban.kernels` for the few loops that everybody uses). A kernel takes a Board and arrays made
beforehand, allocates nothing that grows, and does at most some thousand nodes a call: the caller keeps the clock and
calls again. The first call on a machine compiles it (seconds) into the cache beside the file, or where NUMBA_CACHE_DIR
says; later processes load it from there.

Rules, each paid for:

- No kernel calls itself: numba's cached code of a recursive function crashes when it is loaded the second time.
- A kernel gets arrays of one type each, else it is compiled again for each mixture.
- A kernel makes no array: what it needs is handed in.
- A tuple of tables is seven arguments a table, all moved about at each use. So a small loop takes the tables it reads,
  not the tuple they stand in, and no function takes a tuple of all tuples.
- An unsigned number meets only unsigned ones (`np.uint64(1)`): mixed with Python's integers it becomes a float.
"""

import gc
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from solvers.sokoban.solving.compiling.versions import is_plain

R = TypeVar("R")

# An array of numpy as a kernel sees it: the docstrings say of which shape and type, numba finds out by itself.
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
    """Look for no garbage meanwhile: numba makes millions of small things, and hardly a cycle."""
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
    if is_plain():
        return _stamp(_njit(function, cache=True))
    from solvers.sokoban.solving.compiling.drafts import KernelCompiler  # imports numba

    compiled = _stamp(_compile(function, cache=True, pipeline_class=KernelCompiler))
    dispatcher: Any = compiled
    dispatcher._cache.load_overload = partial(_load, dispatcher._cache)
    return compiled


def _stamp(compiled: Callable[..., R]) -> Callable[..., R]:
    """Let the cache of a kernel hold as long as the sources of all kernels are what they are.

    Numba looks at the file of the kernel alone; what it calls stands in others, and an old copy of that would go on. As
    a part of the version it is compared before the index is read, which may name modules that are gone. A version of
    numba that has no such fields compiles in each process.
    """
    dispatcher: Any = compiled
    try:
        file = dispatcher._cache._cache_file
        file._version, file._source_stamp = f"{file._version} {_digest_of_kernels()}", _digest_of_kernels()
    except AttributeError:
        return _njit(dispatcher.py_func)
    return compiled


def _load(cache: Any, signature: Any, context: Any) -> Any:
    """Load the code of a kernel if it is in the cache.

    Numba would first learn all functions that it can compile, a third of a second; its compiler does so too.
    """
    with cache._guard_against_spurious_io_errors():
        return cache._load_overload(signature, context)


def is_compiled(compiled: Any) -> bool:
    """Whether the code of a kernel is in numba's cache, in which case it takes milliseconds to load."""
    try:
        return bool(compiled._cache._cache_file._load_index())
    except AttributeError:  # see `_stamp`
        return False


@cache
def _digest_of_kernels() -> str:
    """Name the sources of all kernels and how they are compiled: cached code is good as long as none has changed."""
    sources = (path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py")))
    marks = b"solving.compiling import", b"from numba"
    code = b"".join(source for source in sources if any(mark in source for mark in marks))
    return sha256(code + bytes([is_plain()])).hexdigest()


def inner(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, which only kernels call: the door for Python would cost more than its loops.

    Called from Python it ends the process.
    """
    require_compiler()
    if is_plain():
        return _njit(function)
    from solvers.sokoban.solving.compiling.drafts import DraftCompiler  # imports numba

    return _compile(function, no_cpython_wrapper=True, pipeline_class=DraftCompiler)


def _njit(function: Callable[..., R], **options: Any) -> Callable[..., R]:
    """Compile *function* by numba's public decorator, with numpy's arithmetic in both forms."""
    from numba import njit  # takes most of a second, and only solving needs it

    compiled: Callable[..., R] = njit(nogil=True, error_model="numpy", **options)(function)
    return compiled


def _compile(function: Callable[..., R], **options: Any) -> Callable[..., R]:
    """Compile *function* once for whatever whole numbers it is called with: `_widen` says why.

    Without counting references, which arrays that are only passed on never need, there is half as much to compile.
    """
    compiled = _njit(function, no_cfunc_wrapper=True, _nrt=False, **options)
    dispatcher: Any = compiled
    compiler = dispatcher._compiler
    fold = compiler.fold_argument_types

    def fold_wide(*called_with: Any) -> Any:
        signature, kinds = fold(*called_with)
        return signature, tuple(_widen(kind) for kind in kinds)

    compiler.fold_argument_types = fold_wide
    return compiled


def _widen(kind: Any) -> Any:
    """Let whole numbers of all sizes, and numbers that stand in the code, be int64 to the kernel that gets them.

    Numba would compile `flood(..., 1, ...)`, and a square that comes from an int32 array, once more each.
    """
    from numba import types

    unliteral: Any = types.unliteral
    plain = unliteral(kind)
    is_small = isinstance(plain, types.Integer) and plain is not types.uint64
    return types.int64 if is_small else plain
