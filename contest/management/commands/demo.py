"""Load the demo."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from contest.infra import clock
from contest.management.demo import demo


class Command(BaseCommand):
    help = "Load the demo: rounds, players and an organiser. Does nothing if you have rounds of your own."

    def handle(self, *_args: Any, **_options: Any) -> None:
        loaded = demo.load(clock.now())
        if loaded.added:
            self.stdout.write(f"Demo rounds added: {', '.join(map(str, loaded.added))}")
        if loaded.levels:
            self.stdout.write(f"Levels of our own published: {loaded.levels}")
        if loaded.password:
            self.stdout.write(
                f"The organiser signs in at {settings.SITE_URL}/desk/ as {demo.ORGANISER} with this password, "
                f"shown only now: {loaded.password}"
            )
