"""Memory of a process: settings of the C heap and of the garbage collector."""

import ctypes
import gc

_M_ARENA_MAX = -8  # malloc.h


def limit_heap_arenas() -> None:
    """Make glibc use one heap (arena) for all threads; call before starting threads; no effect on other C libraries.

    By default glibc uses up to eight heaps per core, and each grows to the most that any page has ever needed: after
    minutes on two cores most of the process's memory was free. Because of the GIL, threads rarely contend for the
    single heap.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


def trim_heap() -> None:
    """Return free pages of the heap to the system; no effect if the C library is not glibc. Takes about a millisecond.

    Otherwise fragmentation keeps the process at the peak memory of its most expensive requests.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def freeze_loaded_objects() -> None:
    """Exclude all current objects (code, settings, templates) from garbage collection: they live until exit.

    Otherwise the collector scans them whenever the number of new objects reaches a quarter of theirs. That takes a
    tenth of a second and blocks all threads.
    """
    gc.collect()
    gc.freeze()
