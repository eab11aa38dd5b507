"""Bring old rounds in, from archives of rounds or from tables."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import translation
from tqdm import tqdm

from contest.archive import csv_import, importer
from contest.archive.incoming import ImportedRound, Incoming, NotImported, read_archive


class Command(BaseCommand):
    help = (
        "Bring old rounds in: each FILE is an archive of a round (.zip), or a rounds.csv with results.csv and level "
        "files beside it (docs/archive.md). A file comes in whole or not at all; the same one again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="do everything, say what came of it, and undo it")
        parser.add_argument("--large", action="store_true", help="take much memory and time: for archives you trust")
        parser.add_argument("--by", default="", help="the organiser who does it, for the record")

    def handle(self, *_args: Any, **options: Any) -> None:
        by = get_user_model().objects.filter(username=options["by"]).first() if options["by"] else None
        if options["by"] and by is None:
            raise CommandError(f"There is no account {options['by']}.")
        failed = False
        with translation.override("en"), transaction.atomic():
            for path in tqdm(options["files"], unit="file", file=self.stderr, disable=None):
                try:
                    with transaction.atomic():
                        lines = list(self._lines(_read(path, is_large=options["large"]), by))
                    self.stdout.write("\n".join(lines))
                except NotImported as error:
                    failed = True
                    for fault in error.faults:
                        self.stderr.write(fault)
                    self.stderr.write(f"{path}: nothing of it was brought in.")
            transaction.set_rollback(options["dry_run"])
        if options["dry_run"]:
            self.stdout.write("This was a rehearsal: nothing was changed.")
        if failed:
            raise CommandError("Not everything was brought in.")

    def _lines(self, rounds: list[Incoming], by: Any) -> Iterator[str]:
        for incoming in tqdm(rounds, unit="round", file=self.stderr, disable=None, leave=False):
            yield _words(importer.store(incoming, by=by))


def _read(path: Path, *, is_large: bool) -> list[Incoming]:
    return csv_import.read(path) if path.suffix.lower() == ".csv" else [read_archive(path, is_large=is_large)]


def _words(done: ImportedRound) -> str:
    if not done.is_new:
        return f"Round {done.number}: is here already, unchanged."
    words = [f"Round {done.number}: {done.submissions} submissions"]
    if done.not_replayed:
        words.append(f"{done.not_replayed} of them without moves, taken at their word")
    if done.new_players:
        words.append(f"new players: {', '.join(done.new_players)}")
    if done.known_players:
        words.append(f"known players: {', '.join(done.known_players)}")
    return "; ".join(words) + "."
