"""What a web process holds between requests."""

import ctypes

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
