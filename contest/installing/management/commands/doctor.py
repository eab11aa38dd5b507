"""Find what is wrong with the site, and print the command that mends it."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from contest.installing import faults


class Command(BaseCommand):
    help = "Print what is wrong with this site, and the command that mends it. The exit code is 1 if anything is."
    requires_system_checks: list[str] = []  # they are among the faults

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", action="store_true", help="also ask the site at its public address")

    def handle(self, *_args: Any, address: bool, **_options: Any) -> None:
        has_fault = False
        for fault in faults.find_faults(with_address=address):
            self.stdout.write(f"{fault.text}\n    {fault.mend}")
            has_fault |= not fault.is_remark
        if has_fault:
            sys.exit(1)
        self.stdout.write("Nothing is wrong.")
