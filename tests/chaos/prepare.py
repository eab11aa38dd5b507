"""Migrate an empty database and open a round: `python -m tests.chaos.prepare`."""

from datetime import timedelta

import django
from django.core.management import call_command


def main() -> None:
    django.setup()
    # These import the models, which are ready only now.
    from contest.infra import clock
    from tests import cast
    from tests.chaos.senders import LEVELS

    call_command("migrate", verbosity=0, interactive=False)
    at = clock.now()
    round_ = cast.a_round(opens_at=at - timedelta(days=3), closes_at=at + timedelta(days=3))
    round_.levels.all().delete()
    for slot, level in LEVELS.items():
        cast.a_level(round_, slot, level.text, level.solutions[0])


if __name__ == "__main__":
    main()
