"""Make the dump of the night, if it is due: a worker starts this as a process of its own (`nightly.dump`)."""

import os

import django

_NICENESS = 10


def main() -> None:
    """Make it at a low priority: nobody waits for it."""
    os.nice(_NICENESS)
    django.setup()
    from contest.api.feeds import nightly  # its models are not there before
    from contest.infra import clock

    nightly.make_due(clock.now())


if __name__ == "__main__":
    main()
