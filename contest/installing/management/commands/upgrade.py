"""Bring the data to this version, after a backup."""

import subprocess
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.installing import files, versions
from contest.ops.backup_files import BadBackup

STOP, START = (f"sudo systemctl {act} {files.TARGET}" for act in ("stop", "start"))


class Command(BaseCommand):
    help = "Back up, migrate and collect static files. Stop the site first, or let --restart stop and start it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--restart", action="store_true", help=f"first run: {STOP}; at the end: {START}")

    def handle(self, *_args: Any, restart: bool, **_options: Any) -> None:
        if restart:
            run(STOP)
        try:
            record = versions.upgrade()
        except (versions.CannotChange, BadBackup) as refusal:
            raise CommandError(str(refusal)) from None
        if record is None:
            self.stdout.write(f"The data were of version {versions.VERSION} already.")
        else:
            self.stdout.write(f"Upgraded from {record.upgraded_from} to {record.version}.")
            self.stdout.write(f"Backup: {record.backup}. To go back: {versions.program()} rollback")
        if restart:
            run(START)
        else:
            self.stdout.write(f"Now start the site:\n  {START}")


def run(command: str) -> None:
    """Run a command of the machine; raise CommandError if it fails."""
    try:
        code = subprocess.run(command.split(), check=False).returncode  # noqa: S603 - our own words
    except OSError as error:
        raise CommandError(f"{command}: {error.strerror}") from None
    if code:
        raise CommandError(f"{command} failed. Run it by hand as a user who may.")
