"""Save the whole database to one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.ops import backups


class Command(BaseCommand):
    help = "Save the whole database to one new file, as it is at one instant. The site may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        try:
            manifest = backups.write(file)
        except backups.BadBackup as bad:
            raise CommandError(str(bad)) from None
        self.stdout.write(
            f"{file}: {manifest.rows} rows of {len(manifest.tables)} tables as of {manifest.taken_at}, "
            f"{file.stat().st_size} bytes. It holds e-mail addresses and solutions; keep it where only you can read it."
        )
