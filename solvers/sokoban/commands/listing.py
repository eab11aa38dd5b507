"""`levels` and `check`: list the levels of files, report their faults."""

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from solvers.sokoban import batch
from solvers.sokoban.checks import gate
from solvers.sokoban.commands.meter import write_lines
from solvers.sokoban.commands.reading import FINE, NOT_SOLVED, UNREADABLE, Unusable, Verbs, display_name, entries
from solvers.sokoban.commands.words import number_of
from solvers.sokoban.formats import Entry, Kind, Unread
from solvers.sokoban.moves import Moves


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    listing = verbs.add_parser("levels", help="list the levels of files")
    listing.add_argument("files", nargs="+", metavar="FILE", help="with levels in any format; - for standard input")
    listing.add_argument("--jsonl", "--json", dest="json", action="store_true", help="a JSON object for each level")
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
    code = FINE
    for name, found in _find(options.files):
        if isinstance(found, Unread):
            code = NOT_SOLVED
        print(f"{display_name(name)}:{found.line}: {_summary(found)}")
    return code


def _find(files: Iterable[str]) -> Iterator[tuple[str, Entry | Unread]]:
    for name in files:
        any_found = False
        for found in entries(name):
            any_found = True
            yield name, found
        if not any_found:
            raise Unusable(f"There is no level in {display_name(name)}.")


def _summary(found: Entry | Unread) -> str:
    head = f"{found.number}. {found.title}".rstrip()
    if isinstance(found, Unread):
        return f"{head} ({found.error})"
    level = found.level
    said = [f"{level.width}x{level.height}", number_of(len(level.boxes), "box", "boxes")]
    said += [f"by {found.author}"] if found.author else []
    said += [number_of(len(found.solutions), "solution")] if found.solutions else []
    return f"{head} ({', '.join([*said, *map(str, found.problems)])})"


def check(options: Namespace) -> int:
    """Report the faults of each level and of the moves under it. Exit code 1 if there are any."""
    code = FINE
    for name, found in _find(options.files):
        errors, warnings = _faults(found, contest=options.contest)
        if errors:
            code = NOT_SOLVED
        if options.json:
            known = {"file": name, "number": found.number, "line": found.line, "title": found.title}
            print(json.dumps({**known, "errors": errors, "warnings": warnings}))
            continue
        head = f"{display_name(name)}:{found.line}: {f'{found.number}. {found.title}'.rstrip()}"
        for words in [*errors, *(f"warning: {warning}" for warning in warnings)] or ["fine"]:
            print(f"{head}: {words}")
    return code


def _faults(found: Entry | Unread, *, contest: bool) -> tuple[list[str], list[str]]:
    if isinstance(found, Unread):
        return [str(found.error)], []
    errors = list(map(str, found.problems))
    warnings = list(map(str, found.remarks))
    if contest:
        best = min(found.solutions, key=lambda attempt: attempt.moves, default=None)
        faults = gate.faults(
            found.level, Moves.parse(best.lurd) if best else None, title=found.title, author=found.author
        )
        errors, warnings = list(map(str, faults.errors)), [*map(str, faults.warnings), *warnings]
    for attempt in found.attempts:
        if attempt.kind == Kind.INVALID:
            errors.append(f"the moves in line {attempt.line} are no solution: move {attempt.step}, {attempt.why}")
    return errors, warnings
