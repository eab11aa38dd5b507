import subprocess
import sys

import pytest

from contest.front import memory

# Threads that allocate, then how many heaps the C library has by its own account.
_HEAPS = """
import ctypes, threading
from contest.front import memory
{first}
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
together = threading.Barrier(8)

def allocate():
    together.wait()
    for _ in range(100):
        libc.malloc(5_000)
    together.wait()

threads = [threading.Thread(target=allocate) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fclose(out)
"""


def _heaps(first: str) -> int:
    told = subprocess.run(
        [sys.executable, "-c", _HEAPS.format(first=first)], check=True, capture_output=True, text=True, timeout=60
    )
    return told.stdout.count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="heaps by threads are glibc's")
def test_all_threads_of_a_web_process_share_one_heap():
    assert _heaps("memory.share_one_heap()") == 1 < _heaps("")


def test_another_c_library_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _name: object())
    memory.share_one_heap()
