"""Worker processes that end with the process that started them, however it ends."""

import os
from multiprocessing.connection import Connection
from threading import Thread


def end_with(lifeline: Connection) -> None:
    """Exit this process as soon as nobody holds the other end of *lifeline*: a process that is killed closes it too.

    A worker that computes in one thread hears of it in another, at once.
    """
    Thread(target=_exit_at_the_end_of, args=(lifeline,), daemon=True).start()


def _exit_at_the_end_of(lifeline: Connection) -> None:
    try:
        lifeline.poll(None)
    finally:  # Windows raises at the end of a pipe
        os._exit(1)
