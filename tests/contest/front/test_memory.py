import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="heaps are glibc's")

# Threads that allocate memory; then print the number of heaps from malloc_info.
_HEAPS = """
import ctypes, threading
from contest.front import memory
memory.limit_heap_arenas()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
together = threading.Barrier(8)

def allocate():
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

# Allocate and free memory as a request does, with one block remaining; then print the share of pages still held.
_HELD = """
import ctypes
from contest.front import memory
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]

def pages():
    return int(open("/proc/self/statm").read().split()[1])

before = pages()
taken = [libc.malloc(20_000) for _ in range(2_000)]
for one in taken:
    libc.memset(one, 1, 20_000)
most = pages() - before
for one in taken[:-1]:
    libc.free(one)
memory.trim_heap()
print((pages() - before) / most)
"""


def _output_of(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_all_threads_of_a_web_process_share_one_heap():
    assert _output_of(_HEAPS).count("<heap nr=") == 1


def test_free_memory_below_an_allocated_block_is_returned_to_the_system():
    assert float(_output_of(_HELD)) < 0.1
