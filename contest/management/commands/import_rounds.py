"""Import old rounds, from archives of rounds or from tables."""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from tqdm import tqdm

from contest.archive.imports import csv_import, importer
from contest.archive.imports.incoming import ImportedRound, Incoming, NotImported, read_archive

T = TypeVar("T")


class Command(BaseCommand):
    help = (
        "Import old rounds: each FILE is an archive of a round (.zip), or a rounds.csv with results.csv and level "
        "files beside it (docs/reference/archive.md). A file with a fault is not imported; nothing is imported twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="print what would be imported; store nothing")
        parser.add_argument("--large", action="store_true", help="allow much memory and time: for archives you trust")
        parser.add_argument("--by", default="", help="name of the importing organiser, for the record")

    def handle(self, *_args: Any, **options: Any) -> None:
        by = get_user_model().objects.filter(username=options["by"]).first() if options["by"] else None
        if options["by"] and by is None:
            raise CommandError(f"There is no account {options['by']}.")
        files, is_large = options["files"], options["large"]
        done: list[ImportedRound] = []
        whole: list[Path] = []
        preview = importer.Preview()
        with translation.override("en"):
            for path in self._shown(files, "file"):
                try:
                    done += preview.look_at(self._shown(_read(path, is_large=is_large), "round"))
                    whole.append(path)
                except NotImported as error:
                    self._complain(path, error)
            if not options["dry_run"]:
                paths = self._shown(whole, "file")
                incoming_rounds = (
                    incoming for path in paths for incoming in _read(path, is_large=is_large, is_verified=True)
                )
                done = []
                try:
                    done.extend(importer.store_all(incoming_rounds, by=by))
                except NotImported as error:  # an organiser imported a round meanwhile
                    self.stdout.write("\n".join(map(_summarise, done)))
                    raise CommandError(str(error)) from None
        self.stdout.write("\n".join(map(_summarise, done)))
        if options["dry_run"]:
            self.stdout.write("This was a rehearsal: nothing was changed.")
        if len(whole) < len(files):
            raise CommandError("Not everything was imported.")

    def _shown(self, things: Sequence[T], unit: str) -> Iterable[T]:
        """Return *things* wrapped in a progress bar on the terminal."""
        return tqdm(things, unit=unit, file=self.stderr, disable=None, leave=unit == "file")

    def _complain(self, path: Path, error: NotImported) -> None:
        for fault in error.faults:
            self.stderr.write(fault)
        self.stderr.write(f"{path}: nothing of it was imported.")


def _read(path: Path, *, is_large: bool, is_verified: bool = False) -> list[Incoming]:
    if path.suffix.lower() == ".csv":
        return csv_import.read(path)
    return [read_archive(path, is_large=is_large, is_verified=is_verified)]


def _summarise(done: ImportedRound) -> str:
    if not done.is_new:
        return f"Round {done.number}: is here already, unchanged."
    clauses = [f"Round {done.number}: {done.submissions} submissions"]
    if done.not_replayed:
        clauses.append(f"{done.not_replayed} of them without moves, accepted as reported")
    if done.new_players:
        clauses.append(f"new players: {', '.join(done.new_players)}")
    if done.known_players:
        clauses.append(f"known players: {', '.join(done.known_players)}")
    return "; ".join(clauses) + "."
