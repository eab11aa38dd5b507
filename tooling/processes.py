"""Child processes: start them, wait for them, and stop them with all their descendants."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tooling.folders import ROOT
from tooling.terminal import Problem, last_lines, pause, print_line, show_progress

TIMED_OUT = 124


@dataclass
class Child:
    """A child process in its own session, so that Ctrl-C in the terminal reaches only us."""

    name: str
    command: list[str]
    env: dict[str, str]
    log: Path | None = None  # None: output goes to our terminal
    folder: Path = ROOT
    stop_signal: signal.Signals = signal.SIGTERM
    as_user: list[str] = field(default_factory=list)  # command prefix that runs the command as another user
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        # If we are killed, the kernel signals the child (on Linux; elsewhere the child lives on).
        setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
        guard = [setpriv, "--pdeathsig", self.stop_signal.name.removeprefix("SIG"), "--"] if setpriv else []
        with contextlib.ExitStack() as stack:
            output = stack.enter_context(self.log.open("ab")) if self.log else None
            self.process = subprocess.Popen(
                [*self.as_user, *guard, *self.command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT if output else None, start_new_session=True,
            )  # fmt: skip

    def exit_code(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        return self.process.poll() if self.process else None

    def terminate(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def end(self, patience: float) -> None:
        """Wait *patience* seconds for the process to stop, then kill its whole process group."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(patience, 0))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def stop_children(children: Iterable[Child], patience: float = 10) -> None:
    """Signal all *children* to stop, wait up to *patience* seconds in total, and kill those still running."""
    children = list(children)
    for child in children:
        child.terminate()
    until = time.monotonic() + patience
    for child in children:
        child.end(until - time.monotonic())


def wait_for_exit(child: Child, *, limit: float, patience: float = 10, title: str = "") -> int:
    """Wait for *child* to end, started if necessary; return its exit code, or TIMED_OUT after *limit* seconds.

    After that it has *patience* seconds to stop. With a *title*, a terminal shows the elapsed seconds and the last
    line of the log.
    """
    started = time.monotonic()
    if child.process is None:
        child.start()
    try:
        while (code := child.exit_code()) is None:
            spent = time.monotonic() - started
            if spent > limit:
                return TIMED_OUT
            if title and spent > 1:
                last = last_lines(child.log, 1).strip()
                show_progress(f"{title} {spent:.0f} s  {last}")
            pause(0.05 if spent < 5 else 0.3)
        return code
    finally:
        if title:
            show_progress("")
        stop_children([child], patience)


def answers(command: list[str]) -> bool:
    """Return whether *command* can be run and succeeds."""
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@contextlib.contextmanager
def lock_folder(folder: Path, taken: str = "") -> Iterator[None]:
    """Lock *folder* for this process. If another process holds it, raise Problem(*taken*), or wait if *taken* is empty.

    The kernel releases the lock when the process ends in any way, so there is never a stale lock file.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        waited = False
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if taken:
                    raise Problem(taken) from None
            if not waited:
                print_line("Waiting for another dev.py that is setting up the environment ...")
                waited = True
            pause(0.2)
        yield
    finally:
        os.close(descriptor)


def wait_for(name: str, child: Child, is_ready: Callable[[], bool], limit: float) -> None:
    """Wait until *child* is ready; raise Problem with the end of its log if it stops or takes too long."""
    until = time.monotonic() + limit
    while not is_ready():
        if child.exit_code() is not None:
            raise Problem(f"{name} stopped at once:\n{last_lines(child.log)}")
        if time.monotonic() > until:
            raise Problem(f"{name} did not answer within {limit:.0f} seconds; see {child.log}.")
        pause(0.05)


def describe_exit(code: int) -> str:
    """Return an exit code as text.

    >>> describe_exit(1), describe_exit(-9)
    ('exit code 1', 'SIGKILL')
    """
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
