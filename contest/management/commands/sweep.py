"""Judge all waiting submissions."""

import signal
from typing import Any

from django.core.management.base import BaseCommand

from contest import judging
from contest.infra import clock
from contest.judging import receipt_chain
from contest.library import series
from contest.replays import animations
from contest.results import by_itself


class Command(BaseCommand):
    help = "Judge every waiting submission once and print the number. The workers may keep running."

    def handle(self, *_args: Any, **_options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: judging.stop())
        self.stdout.write(f"Judged: {judging.judge_until_empty()}")
        animations.draw_waiting()
        receipt_chain.append_all()
        series.advance(clock.now())
        by_itself.finalise_quiet(clock.now())
