"""`levels` and `check`: list the levels of files, report their faults."""

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from solvers.sokoban import batch
from solvers.sokoban.checks import gate
from solvers.sokoban.commands.meter import write_lines
from solvers.sokoban.commands.reading import (
    NOT_SOLVED,
    SUCCESS,
    UNREADABLE,
    Unusable,
    Verbs,
    display_name,
    read_entries,
    read_text,
)
from solvers.sokoban.commands.words import number_of
from solvers.sokoban.formats import Entry, Kind, Unread
from solvers.sokoban.formats.files.roles import read_lines
from solvers.sokoban.moves import Moves


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    listing = verbs.add_parser("levels", help="list the levels of files")
    listing.add_argument("files", nargs="+", metavar="FILE", help="with levels in any format; - for standard input")
    listing.add_argument("--jsonl", "--json", dest="json", action="store_true", help="a JSON object for each level")
    listing.add_argument("--lines", action="store_true", help="say how each line is read: as row, title, note, moves …")
    listing.set_defaults(command=levels)
    checking = verbs.add_parser("check", help="say what is wrong with levels and with the solutions under them")
    checking.add_argument("files", nargs="+", metavar="FILE", help="with levels in any format; - for standard input")
    checking.add_argument("--contest", action="store_true", help="ask for all that a contest asks of a level")
    checking.add_argument("--json", action="store_true", help="a JSON object for each level")
    checking.set_defaults(command=check)


def levels(options: Namespace) -> int:
    """List the levels of files. Exit code 1 for unreadable levels, 2 for unreadable files."""
    if options.json:
        if "-" in options.files:
            raise Unusable("For JSON the levels must be in files, not on standard input.")
        missing = [name for name in options.files if not Path(name).is_file()]
        code = write_lines(batch.level_lines(options.files), "levels")
        return UNREADABLE if missing else code
    if options.lines:
        for name in options.files:
            for line in read_lines(read_text(name)):
                roles = ",".join(role.value for role in line.roles)
                print(f"{display_name(name)}:{line.number}: {roles:<10} {line.text}")
        return SUCCESS
    code = SUCCESS
    for name, entry in _read_entries(options.files):
        if isinstance(entry, Unread):
            code = NOT_SOLVED
        print(f"{display_name(name)}:{entry.line}: {_summarise(entry)}")
    return code


def _read_entries(files: Iterable[str]) -> Iterator[tuple[str, Entry | Unread]]:
    for name in files:
        has_entries = False
        for entry in read_entries(name):
            has_entries = True
            yield name, entry
        if not has_entries:
            raise Unusable(f"There is no level in {display_name(name)}.")


def _summarise(entry: Entry | Unread) -> str:
    head = f"{entry.number}. {entry.title}".rstrip()
    if isinstance(entry, Unread):
        return f"{head} ({entry.error})"
    level = entry.level
    parts = [f"{level.width}x{level.height}", number_of(len(level.boxes), "box", "boxes")]
    parts += [f"by {entry.author}"] if entry.author else []
    parts += [number_of(len(entry.solutions), "solution")] if entry.solutions else []
    return f"{head} ({', '.join([*parts, *map(str, entry.problems)])})"


def check(options: Namespace) -> int:
    """Report the faults of each level and of the moves under it. Exit code 1 if there are any."""
    code = SUCCESS
    for name, entry in _read_entries(options.files):
        errors, warnings = _faults_of(entry, contest=options.contest)
        if errors:
            code = NOT_SOLVED
        if options.json:
            fields = {"file": name, "number": entry.number, "line": entry.line, "title": entry.title}
            print(json.dumps({**fields, "errors": errors, "warnings": warnings}))
            continue
        head = f"{display_name(name)}:{entry.line}: {f'{entry.number}. {entry.title}'.rstrip()}"
        for message in [*errors, *(f"warning: {warning}" for warning in warnings)] or ["fine"]:
            print(f"{head}: {message}")
    return code


def _faults_of(entry: Entry | Unread, *, contest: bool) -> tuple[list[str], list[str]]:
    if isinstance(entry, Unread):
        return [str(entry.error)], []
    errors = list(map(str, entry.problems))
    warnings = [*map(str, gate.corner_problems(entry.level)), *map(str, entry.remarks)]
    if contest:
        best = min(entry.solutions, key=lambda attempt: attempt.moves, default=None)
        faults = gate.faults(
            entry.level, Moves.parse(best.lurd) if best else None, title=entry.title, author=entry.author
        )
        errors, warnings = list(map(str, faults.errors)), [*map(str, faults.warnings), *map(str, entry.remarks)]
    for attempt in entry.attempts:
        if attempt.kind == Kind.INVALID:
            errors.append(f"the moves in line {attempt.line} are no solution: move {attempt.step}, {attempt.why}")
    return errors, warnings
