import gc
import os
import subprocess
import sys

import pytest

from contest import celery
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


# What a request held for a while, between what stays; then what of it is still held, in pages.
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
{last}
print((pages() - before) / most)
"""


def _part_still_held(last: str) -> float:
    told = subprocess.run(
        [sys.executable, "-c", _HELD.format(last=last)], check=True, capture_output=True, text=True, timeout=60
    )
    return float(told.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="heaps are glibc's")
def test_what_is_free_below_what_stays_goes_back_to_the_system():
    assert _part_still_held("memory.give_back()") < 0.1 < 0.9 < _part_still_held("")


def test_another_c_library_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _name: object())
    memory.share_one_heap()
    memory.give_back()


def test_a_web_process_lets_the_collector_pass_over_what_it_has_loaded():
    opened = "from contest.front.gateway import Gateway; Gateway('contest.wsgi:application')._open()"
    said = subprocess.run(
        [sys.executable, "-c", f"import gc, django; django.setup(); {opened}; print(gc.get_freeze_count())"],
        env=os.environ | {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(said.stdout) > 100_000


@pytest.fixture
def _nothing_passed_over():
    """The tests have set aside what they load, too."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.usefixtures("_nothing_passed_over")
def test_so_does_a_judge_that_is_ready():
    assert gc.get_freeze_count() == 0
    celery.worker_ready.send(sender=None)
    assert gc.get_freeze_count() > 100_000
