"""Graceful shutdown behind a proxy: the proxy must stop sending requests before the process stops listening."""

import asyncio
import signal
from types import FrameType

from contest.front.connections import GuardedConnection


def delay_exit(seconds: float) -> None:
    """On SIGTERM continue serving for *seconds*, then shut down; a second SIGTERM shuts down at once.

    Meanwhile both probes answer 503 and each response closes its connection, so that the proxy uses other processes.
    """
    if not seconds:
        return
    loop = asyncio.get_running_loop()
    leave = signal.getsignal(signal.SIGTERM)  # uvicorn's

    def drain(number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, leave)
        GuardedConnection.lobby.is_closing = True
        loop.call_soon_threadsafe(loop.call_later, seconds, signal.raise_signal, number)

    signal.signal(signal.SIGTERM, drain)
