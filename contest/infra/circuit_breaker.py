"""What is down is not asked again at once: every request would wait for it in vain."""

import time

_REST_SECONDS = 5.0


class Breaker:
    """Each process learns for itself that a service is down, and lets it rest for some seconds."""

    def __init__(self) -> None:
        self.rests_until = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the service is not to be asked now."""
        return time.monotonic() < self.rests_until

    def trip(self) -> None:
        """The service has just failed."""
        self.rests_until = time.monotonic() + _REST_SECONDS
