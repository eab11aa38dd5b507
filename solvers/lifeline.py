"""Worker processes that exit when the process that started them exits, for any reason."""

import os
from multiprocessing.connection import Connection
from threading import Thread


def exit_with(lifeline: Connection) -> None:
    """Exit this process when the other end of *lifeline* is closed, which also happens if its owner is killed.

    The wait runs in a thread, so a worker that is computing exits immediately too.
    """
    Thread(target=_exit_when_closed, args=(lifeline,), daemon=True).start()


def _exit_when_closed(lifeline: Connection) -> None:
    try:
        lifeline.poll(None)
    finally:  # Windows raises at the end of a pipe
        os._exit(1)
