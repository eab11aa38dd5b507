"""Go back to the data from before the last upgrade."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from contest.installing import versions
from contest.installing.management.commands.upgrade import START, STOP
from contest.ops.backup_files import BadBackup


class Command(BaseCommand):
    help = "Restore the backup that the last upgrade made, and print which version to install. Stop the site first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="ask for no confirmation")

    def handle(self, *_args: Any, yes: bool, **_options: Any) -> None:
        try:
            record = versions.way_back()
            version = record.upgraded_from
            self.stdout.write(
                f"Everything sent since the upgrade from {version} disappears from the site: it is saved beside the "
                f"backup {record.backup}, which replaces it. Stop the site first: {STOP}"
            )
            if not yes and input(f'To go on, write "{version}": ').strip() != version:
                raise CommandError("Nothing was changed.")
            record = versions.rollback(record)
        except (versions.CannotChange, BadBackup) as refusal:
            raise CommandError(str(refusal)) from None
        except EOFError:
            raise CommandError("There is no terminal to ask at: --yes confirms.") from None
        self.stdout.write(
            f"The data are those of {version} again; the replaced ones are in {record.replaced}. Now install it:\n"
            f"  {versions.install_command(f'leitai-server[solving]=={version}')}\n"
            f"  {versions.program()} collectstatic --no-input\n"
            f"  {START}"
        )
