"""Run the checker of certificates as a process of its own, with limits: what it reads may come from anywhere."""

import contextlib
import inspect
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solvers.sokoban.solving.certificates import check_certificate

_TICK_SECONDS = 0.5
_LIMITS = """try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
    resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20, {megabytes} << 20))
except ImportError:  # not Unix: only the clock limits it
    pass
"""


@cache
def checker() -> bytes:
    """Return the program that checks, as strangers get it."""
    return inspect.getsource(check_certificate).encode()


def check_apart(
    packed: bytes, level: str, *, seconds: int, megabytes: int = 1024, meanwhile: Callable[[], object] = lambda: None
) -> str:
    """Return the checker's sentence about a certificate of *level*, an XSB text: PROVED or REFUSED, and why.

    *meanwhile* is called twice a second; an exception from it ends the process.
    """
    code = _LIMITS.format(seconds=seconds, megabytes=megabytes) + checker().decode()
    with TemporaryDirectory() as folder:
        paths = Path(folder, "certificate.xz"), Path(folder, "level.xsb")
        paths[0].write_bytes(packed)
        paths[1].write_text(level)
        command = [sys.executable, "-I", "-S", "-c", code, *map(str, paths)]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with subprocess.Popen(command, **pipes) as child:  # noqa: S603 - our own program
            try:
                _wait(child, 10 * seconds, meanwhile)
            finally:
                child.kill()
            message = child.stdout.read() if child.stdout else ""
    lines = message.splitlines()
    if len(lines) == 1 and lines[0].startswith(("PROVED: ", "REFUSED: ")):
        return lines[0]
    return f"REFUSED: the check takes more than {seconds} CPU seconds or {megabytes} MB"


def _wait(child: "subprocess.Popen[str]", seconds: float, meanwhile: Callable[[], object]) -> None:
    until = time.monotonic() + seconds
    while child.poll() is None and time.monotonic() < until:
        meanwhile()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_TICK_SECONDS)


def proves(sentence: str, kind: str, count: int | None) -> bool:
    """Return whether the checker's *sentence* says that *count* is optimal by *kind*, or the level unsolvable.

    >>> proves("PROVED: the level has no solution (level 1 of the file)", "unsolvable", None)
    True
    """
    claim = "the level has no solution" if count is None else f"no solution has fewer than {count} {kind}, "
    return sentence.startswith(f"PROVED: {claim}")
