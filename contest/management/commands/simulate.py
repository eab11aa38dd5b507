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
        "over; then recount boards, results, hall of fame, seasons and ratings and verify every archive."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rounds", type=int, default=50, help="number of rounds (50)")
        parser.add_argument(
            "--players", type=int, default=200, help="number of players, every twentieth a program (200)"
        )
        parser.add_argument("--seed", type=int, default=1, help="seed of the random season (1)")
        parser.add_argument("--yes", action="store_true", help="add it permanently to existing rounds")

    def handle(self, *, rounds: int, players: int, seed: int, yes: bool, **_options: Any) -> None:
        if not (1 <= rounds <= 500 and 1 <= players <= 10_000):
            raise CommandError("A season has 1 to 500 rounds and 1 to 10,000 players.")
        if Round.objects.exists() and not yes:
            raise CommandError(
                "This database has rounds, and simulated rounds are permanent: use an empty database, or --yes."
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
            raise CommandError(f"{faults} inconsistencies were found.")
        seconds = time.perf_counter() - began - played_in
        self.stdout.write(
            f"Checked in {seconds:.0f} s: verdicts, boards, published tables, hall of fame, seasons and "
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
