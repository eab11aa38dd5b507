"""The end of a web process that a proxy stands before: nobody is sent to it any longer before it stops listening."""

import asyncio
import signal
from types import FrameType

from contest.front.connections import GuardedConnection


def delay_exit(seconds: float) -> None:
    """On SIGTERM go on answering for *seconds*, then let the server end; a second SIGTERM ends it at once.

    Meanwhile both probes answer 503 and each answer closes its connection, so that a proxy goes elsewhere.
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
