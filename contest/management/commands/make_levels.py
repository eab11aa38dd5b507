"""Generate the levels that come with the site again: the same seeds give the same file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from contest.management.demo import making, making_course, making_deadlocks
from solvers.sokoban.formats import Entry, read_file


class Command(BaseCommand):
    help = "Generate the levels that come with the site. Takes about twenty minutes; needs the solver (numba)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("output", type=Path, help="path of the file to write")
        parser.add_argument("--course", action="store_true", help="generate the course of techniques, as JSON")
        parser.add_argument("--deadlocks", action="store_true", help="generate the course of deadlocks, as JSON")
        parser.add_argument("--not-in", type=Path, nargs="*", default=[], help="collections of levels to exclude")

    def handle(self, *_args: Any, **options: Any) -> None:
        known = {
            entry.level.key
            for path in options["not_in"]
            for entry in read_file(path)
            if isinstance(entry, Entry) and len(entry.level.players) == 1
        }
        generator = making_course if options["course"] else making_deadlocks if options["deadlocks"] else making
        text = generator.make(known, lambda count: self.stderr.write(f"{count} levels found", ending="\r"))
        options["output"].write_text(text, encoding="utf-8")
        self.stdout.write(f"Written to {options['output']}; {len(known)} known levels were excluded.")
