"""Make the dump of the night, if it is due: a worker starts this as a process of its own (`nightly.dump`)."""

import logging
import os
import sys
from threading import Thread

_NICENESS = 19

log = logging.getLogger(__name__)


def _end_with_the_worker() -> None:
    """Wait until whoever started this is gone, killed even."""
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    """Make it at the lowest priority, as of the first import: nobody waits for it."""
    os.nice(_NICENESS)
    Thread(target=_end_with_the_worker, daemon=True).start()
    import django

    django.setup()
    from contest.api.feeds import nightly  # its models are not there before
    from contest.infra import clock

    try:
        nightly.make_due(clock.now())
    except Exception:
        log.exception("The dump of the night failed.")
        sys.exit(1)


if __name__ == "__main__":
    main()
