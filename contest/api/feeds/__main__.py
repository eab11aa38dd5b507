"""Make the nightly dump, if it is due: a worker starts this as a separate process (`nightly.dump`)."""

import logging
import os
import sys
from threading import Thread

_NICENESS = 19

log = logging.getLogger(__name__)


def _end_with_the_worker() -> None:
    """Exit when the parent process is gone, even if it was killed."""
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    """Make the dump at the lowest priority, set before the other imports, because nobody waits for it."""
    os.nice(_NICENESS)
    Thread(target=_end_with_the_worker, daemon=True).start()
    import django

    django.setup()
    from contest.api.feeds import nightly  # its models need the setup
    from contest.infra import clock

    try:
        nightly.make_due(clock.now())
    except Exception:
        log.exception("The dump of the night failed.")
        sys.exit(1)


if __name__ == "__main__":
    main()
