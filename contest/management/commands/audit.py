"""Compare the stored results with the submissions; report every difference."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from contest.judging import consistency
from contest.judging.consistency import Difference
from contest.models import Level, State, Submission


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--replay", action="store_true", help="replay every submission too")

    def handle(self, *, replay: bool, **_options: Any) -> None:
        differences = 0
        for difference in self._differences(replay=replay):
            tqdm.write(str(difference), file=self.stdout)
            differences += 1
        boards, verdicts = Level.objects.count(), Submission.objects.filter(state=State.JUDGED).count()
        looked_at = f"{boards} levels, {verdicts} verdicts{' replayed' if replay else ''}"
        if differences:
            raise CommandError(f"{looked_at}: {differences} differences. Nothing was changed.")
        self.stdout.write(f"{looked_at}: no difference.")

    def _differences(self, *, replay: bool) -> Iterator[Difference]:
        yield from consistency.records()
        for level in tqdm(Level.objects.select_related("round"), desc="boards", file=self.stderr, disable=None):
            yield from consistency.board(level)
        if replay:
            total = Submission.objects.filter(state=State.JUDGED).count()
            judged = tqdm(consistency.verdicts(), desc="verdicts", total=total, file=self.stderr, disable=None)
            for _submission, differences in judged:
                yield from differences
