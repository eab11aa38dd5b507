"""`convert`: write levels in another format."""

import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

from solvers.errors import PuzzleError
from solvers.sokoban.commands.reading import (
    NOT_SOLVED,
    SUCCESS,
    Unusable,
    Verbs,
    display_name,
    read_entries,
    read_text,
    write_output,
)
from solvers.sokoban.formats import Collection, Entry, Unread, compact, letslogic, mf8, sok, sokoplayer, xsb
from solvers.sokoban.level import Level

WRITERS: dict[str, Callable[[list[Entry]], str]] = {
    "xsb": xsb.write,
    "sok": lambda entries: sok.write(Collection(entries=tuple(entries))),
    "line": lambda entries: _write_lines(entries, lambda level: level.published_text),
    "rle": lambda entries: _write_lines(entries, xsb.run_length),
    "mf8": lambda entries: _write_lines(entries, mf8.write),
    "soko": lambda entries: _write_lines(entries, mf8.write_tagged),
    "compact": lambda entries: _write_lines(entries, compact.write),
    "sokoplayer": lambda entries: _write_lines(entries, lambda level: sokoplayer.write(level, escaped=True)),
    "letslogic": lambda entries: _write_lines(
        entries, lambda level: f"{level.width} {level.height} {letslogic.write(level)}"
    ),
}


def _write_lines(entries: list[Entry], write: Callable[[Level], str]) -> str:
    return "".join(f"{write(entry.level)}\n" for entry in entries)


def _from_letslogic(line: str) -> Level:
    match = re.fullmatch(r"([0-9]{1,3})\s+([0-9]{1,3})\s+(\S+)", line)
    if not match:
        raise Unusable("A letslogic line is width, height and digits, with blanks between.")
    return letslogic.parse(match[3], int(match[1]), int(match[2]))


LINE_READERS: dict[str, Callable[[str], Level]] = {
    "compact": compact.parse,
    "sokoplayer": lambda line: sokoplayer.parse(line).level,
    "letslogic": _from_letslogic,
}


def add(verbs: "Verbs[Any]") -> None:
    """Add the command to the command line."""
    command = verbs.add_parser("convert", help="write levels in another format")
    command.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: standard input")
    command.add_argument("--to", choices=sorted(WRITERS), default="xsb", help="default: %(default)s")
    command.add_argument("--from", dest="source", choices=sorted(LINE_READERS), help="a level on each line")
    command.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    command.set_defaults(command=convert)


def convert(options: Namespace) -> int:
    """Write the levels of a file in another format. Report unreadable levels on standard error."""
    if options.source:
        entries_read = list(_read_lines(read_text(options.file), LINE_READERS[options.source]))
    else:
        entries_read = list(read_entries(options.file))
    levels = [entry for entry in entries_read if isinstance(entry, Entry)]
    unread = [entry for entry in entries_read if isinstance(entry, Unread)]
    for entry in unread:
        print(f"{display_name(options.file)}:{entry.line}: {entry.error}", file=sys.stderr)
    if not entries_read:
        raise Unusable(f"There is no level in {display_name(options.file)}.")
    write_output(WRITERS[options.to](levels), options.output)
    return NOT_SOLVED if unread else SUCCESS


def _read_lines(text: str, parse: Callable[[str], Level]) -> Iterator[Entry | Unread]:
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    for count, (number, line) in enumerate(lines, 1):
        try:
            yield Entry(count, number, parse(line))
        except PuzzleError as error:
            yield Unread(count, number, error)
