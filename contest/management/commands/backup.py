"""Back up the whole database to one file, or daily to a folder that keeps a fixed number of files."""

import logging
import time as seconds
from datetime import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connection

from contest.ops import backup_files, backups, keeping

log = logging.getLogger(__name__)

_LOOK_EVERY = 300


class Command(BaseCommand):
    help = "Write a consistent backup of the whole database to a new file. The site may keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file; with --daily or --due a folder")
        parser.add_argument("--daily", action="store_true", help="write one to the folder every day, until stopped")
        parser.add_argument("--due", action="store_true", help="write today's backup unless it exists, and exit")
        parser.add_argument(
            "--at", type=time.fromisoformat, default=time(19, 30), help="earliest time of day in UTC (19:30)"
        )
        parser.add_argument("--keep", type=int, default=14, help="number of daily files to keep (14)")

    def handle(self, *_args: Any, file: Path, at: time, keep: int, daily: bool, due: bool, **_options: Any) -> None:
        if not (daily or due):
            self._save(file)
            return
        if keep < 1:
            raise CommandError("--keep: at least one backup must be kept.")
        if not file.is_dir():
            raise CommandError(f"{file} is not a folder.")
        while True:
            try:
                if backup := keeping.make_due(file, daily_at=at, max_backups=keep):
                    self.stdout.write(f"{backup}: {backup.stat().st_size} bytes")
            except (backup_files.BadBackup, Error, OSError) as trouble:
                if due:
                    raise CommandError(str(trouble)) from None
                log.error("No backup could be made: %s", trouble)
            if due:
                return
            connection.close()
            seconds.sleep(_LOOK_EVERY)

    def _save(self, file: Path) -> None:
        try:
            manifest = backups.write(file)
        except backup_files.BadBackup as bad:
            raise CommandError(str(bad)) from None
        self.stdout.write(
            f"{file}: {manifest.rows} rows of {len(manifest.tables)} tables as of {manifest.taken_at}, "
            f"{file.stat().st_size} bytes. It holds email addresses and solutions; keep it where only you can read it."
        )
