"""Restore the database from a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.ops import backup_files, backups


class Command(BaseCommand):
    help = (
        "Fill an empty database from a file that `backup` made, whichever engine it was made on. Stop the site first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete all present data of the database")

    def handle(self, *_args: Any, file: Path, replace: bool, **_options: Any) -> None:
        try:
            manifest = backups.read(file, replace=replace)
        except backup_files.BadBackup as bad:
            raise CommandError(str(bad)) from None
        self.stdout.write(f"Restored: {manifest.rows} rows as of {manifest.taken_at}.")
