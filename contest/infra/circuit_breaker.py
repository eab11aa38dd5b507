"""Circuit breaker: stop calling a service for some seconds after it failed, so that requests do not wait in vain."""

import time

_REST_SECONDS = 5.0


class Breaker:
    """Breaker for one service in one process; it stays open for some seconds after a failure."""

    def __init__(self) -> None:
        self.rests_until = 0.0

    @property
    def is_open(self) -> bool:
        """Return whether calls to the service must be skipped now."""
        return time.monotonic() < self.rests_until

    def trip(self) -> None:
        """Open the breaker because the service has just failed."""
        self.rests_until = time.monotonic() + _REST_SECONDS
