"""What a process holds between requests."""

import ctypes
import gc

_M_ARENA_MAX = -8  # malloc.h


def share_one_heap() -> None:
    """Have the C library serve all threads from one heap, before there are any; without effect where it is not glibc.

    Else it gives them up to eight heaps a core, each of which grows to the most that any page has ever needed: after
    minutes on two cores most of what the process held was free memory. The interpreter's lock lets threads hardly
    meet at the one heap.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Let the system have the pages of the heap in which nothing is; without effect where it is not glibc.

    Else the process keeps, between what stays, all that its dearest requests have ever held at one time. Takes about a
    millisecond.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def pass_over_what_is_loaded() -> None:
    """Have the collector look at nothing that is there now: code, settings, templates, all of which stay.

    Else it goes through all of it whenever a quarter as much has come since, which takes a tenth of a second, and no
    thread does anything else meanwhile.
    """
    gc.collect()
    gc.freeze()
