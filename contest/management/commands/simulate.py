"""Play a whole season through the real entry points and the real judge, and check the results."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from contest.infra import clock
from contest.management.demo import simulation
from contest.models import Round
from contest.stats import hall_of_fame
from contest.visibility import Viewer

_SHOWN = 5


class Command(BaseCommand):
    help = (
        "Play a season of made-up players and programs through the web form, the API and the judge, in a year that is "
        "over; then count boards, results, hall of fame, seasons and ratings anew and verify every archive."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rounds", type=int, default=50, help="how many rounds (50)")
        parser.add_argument(
            "--players", type=int, default=200, help="how many players, every twentieth a program (200)"
        )
        parser.add_argument("--seed", type=int, default=1, help="another seed, another season (1)")
        parser.add_argument("--yes", action="store_true", help="play it beside the rounds that are there, for good")

    def handle(self, *, rounds: int, players: int, seed: int, yes: bool, **_options: Any) -> None:
        if not (1 <= rounds <= 500 and 1 <= players <= 10_000):
            raise CommandError("A season has 1 to 500 rounds and 1 to 10,000 players.")
        if Round.objects.exists() and not yes:
            raise CommandError(
                "There are rounds in this database, and what is simulated stays: use an empty one, or --yes."
            )
        at = clock.now()
        began = time.perf_counter()
        season = simulation.Season(opens_at=simulation.first_opening(at), count=rounds, players=players, seed=seed)
        for _round in tqdm(season, desc="rounds", total=rounds, file=self.stderr, disable=None):
            pass
        played_in = time.perf_counter() - began
        self._print_report(season.played, played_in)
        faults = 0
        with tqdm(desc="checks", total=rounds, file=self.stderr, disable=None) as bar:
            for problem in simulation.problems(season.played, at):
                if problem is None:
                    bar.update()
                else:
                    faults += 1
                    tqdm.write(problem, file=self.stdout)
        if faults:
            raise CommandError(f"{faults} things are not as they must be.")
        seconds = time.perf_counter() - began - played_in
        self.stdout.write(
            f"Looked at again in {seconds:.0f} s: verdicts, boards, published tables, hall of fame, seasons and "
            f"ratings agree, and all {rounds} archives verify offline."
        )
        for rank, tally in hall_of_fame.hall(Viewer(), at)[:_SHOWN]:
            self.stdout.write(f"{rank:3} {tally.player}: {tally.points} points, {tally.titles} titles")

    def _print_report(self, played: simulation.SeasonReport, seconds: float) -> None:
        self.stdout.write(
            f"Rounds {played.numbers[0]} to {played.numbers[-1]} in {seconds:.0f} s: {played.sent:,} sent, "
            f"{played.stored:,} stored ({played.practised:,} of them practice), {played.refused:,} refused, "
            f"{played.judged:,} judged, {played.rulings} rulings, {played.revisions} revisions."
        )
