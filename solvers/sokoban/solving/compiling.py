"""How the searches are compiled: one decorator, numba's cache, and a clear error where numba is missing.

Modules of this package whose functions carry `kernel` import this one, so only a process that solves loads numba (about
a second; see `solvers.sokoban.kernels` for the few loops that everybody uses). A kernel takes a Board and arrays made
beforehand, allocates nothing that grows, and does at most some thousand nodes a call: the caller keeps the clock and
calls again. The first call on a machine compiles it (seconds) into the cache beside the file, or where NUMBA_CACHE_DIR
says; later processes load it from there.

Three rules, each paid for:

- No kernel calls itself: numba's cached code of a recursive function crashes when it is loaded the second time.
- A kernel is called with the same types everywhere (`int` for counts, arrays of one type each), else it is compiled
  again for each mixture.
- An unsigned number meets only unsigned ones (`np.uint64(1)`): mixed with Python's integers it becomes a float.
"""

import importlib.util
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

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


def kernel(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, which Python calls, at its first call, and keep it in numba's cache."""
    return _compiled(function, cache=True)


def inner(function: Callable[..., R]) -> Callable[..., R]:
    """Compile *function*, which only kernels call: Python's door to it would cost more than its loops."""
    return _compiled(function, no_cpython_wrapper=True)


def _compiled(function: Callable[..., R], **options: bool) -> Callable[..., R]:
    require_compiler()
    from numba import njit, types  # takes most of a second, and only solving needs it

    def widened(kind: Any) -> Any:
        plain = types.unliteral(kind)
        is_small = isinstance(plain, types.Integer) and (plain.signed or plain.bitwidth < 64)
        return types.int64 if is_small else plain

    compiled: Any = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=False, **options)(function)
    compiler = compiled._compiler
    fold = compiler.fold_argument_types

    def fold_wide(args: Any, named: Any) -> Any:
        signature, kinds = fold(args, named)
        return signature, tuple(widened(kind) for kind in kinds)

    compiler.fold_argument_types = fold_wide
    return compiled  # type: ignore[no-any-return]


def part(function: Callable[..., R]) -> Callable[..., R]:
    """Make *function* a part of the kernel that calls it, with no code of its own.

    For what takes all tables of a search: a compiled function takes each of them as seven arguments, and a thousand
    arguments cost seconds to compile. Call it from one place only.
    """
    require_compiler()
    from numba import njit

    compiled: Callable[..., R] = njit(inline="always")(function)
    return compiled
