"""Write the archive of a round to a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from contest import visibility
from contest.archive import writer
from contest.infra import clock
from contest.judging import receipt_chain
from contest.visibility import Viewer


class Command(BaseCommand):
    help = "Write the public archive of a closed round, which anybody can verify."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("round", type=int, help="the round's number")
        parser.add_argument("file", type=Path, nargs="?", help="path of the file (round-N.zip)")

    def handle(self, *_args: Any, **options: Any) -> None:
        number, at = options["round"], clock.now()
        path = options["file"] or Path(f"round-{number}.zip")
        receipt_chain.append_all()
        round_ = visibility.archived_rounds(Viewer(), at).filter(number=number).first()
        if not round_:
            raise CommandError(
                f"Round {number} has no archive: it is not revealed yet, or something of it waits for its verdict or "
                "its place in the receipt chain."
            )
        with path.open("wb") as file:
            file.writelines(writer.write(writer.of(round_, at)))
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes. Verify it with: python3 -m contest.verify {path}")
