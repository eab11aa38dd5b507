"""Read the input of a command: levels, moves, lines, from files or standard input."""

import argparse
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from solvers import commandline
from solvers.commandline import bounded_lines, write_file
from solvers.errors import PuzzleError, TooLong
from solvers.sokoban.formats import Entry, Unread, read_collection, read_file
from solvers.sokoban.formats.text import decode
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.playback import Playback
from solvers.sokoban.position import Position
from solvers.sokoban.replay import replay

SUCCESS, NOT_SOLVED, UNREADABLE = 0, 1, 2  # exit codes

# The type to which argparse adds commands; it has no public name.
Verbs = argparse._SubParsersAction


class Unusable(Exception):
    """A command that cannot be carried out as given. The message has the reason."""


def open_input(name: str) -> BinaryIO:
    """Open a file, or standard input for `-`, in binary mode. Raise Unusable."""
    if name == "-":
        if sys.stdin is None:
            raise Unusable("There is no standard input.")
        return sys.stdin.buffer
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:
        raise unreadable_error(name, error) from None


def unreadable_error(name: str, error: Exception) -> Unusable:
    """Return the error for a file that cannot be read."""
    return Unusable(f"{name} cannot be read: {_reason_for(error)}.")


def _reason_for(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).rstrip(".")


def read_text(name: str) -> str:
    """Return the text of a file in any encoding. Raise Unusable, or PuzzleError if it is not text."""
    try:
        with open_input(name) as file:
            data = file.read(commandline.MAX_INPUT + 1)
    except OSError as error:
        raise unreadable_error(name, error) from None
    if len(data) > commandline.MAX_INPUT:
        raise TooLong(size=len(data), limit=commandline.MAX_INPUT)
    return decode(data)


def read_raw_lines(name: str) -> Iterator[bytes]:
    """Yield the lines of a file as bytes. Raise Unusable."""
    try:
        with open_input(name) as file:
            yield from bounded_lines(file)
    except OSError as error:
        raise unreadable_error(name, error) from None


def read_entries(name: str) -> Iterator[Entry | Unread]:
    """Yield the levels and unreadable boards of a file."""
    if name == "-":
        collection = read_collection(read_text(name))
        entries_read: list[Entry | Unread] = [*collection.entries, *collection.unread]
        yield from sorted(entries_read, key=lambda entry: entry.line)
        return
    try:
        yield from read_file(Path(name))
    except (OSError, PuzzleError, ValueError) as error:
        raise unreadable_error(name, error) from None


def read_levels(name: str, number: int | None) -> list[Level]:
    """Return the level with the requested number, or all levels of the file."""
    levels_read = []
    for entry in read_entries(name):
        if number in (None, entry.number):
            if isinstance(entry, Unread):
                raise entry.error
            levels_read.append(entry.level)
            if number is not None:
                break
    if not levels_read:
        raise Unusable(f"There is no level{'' if number is None else f' {number}'} in {display_name(name)}.")
    return levels_read


def read_level(options: Namespace) -> Level:
    """Return the level with the requested number, else the first."""
    return read_levels(options.level, 1 if options.number is None else options.number)[0]


def read_moves(options: Namespace) -> str:
    """Return the moves: the value of -m, or the content of a file or of standard input. Raise Unusable."""
    if options.moves is not None:
        if options.moves_file is not None:
            raise Unusable("The moves are given twice: as a file and after -m.")
        return str(options.moves)
    if (options.moves_file or "-") == "-" == getattr(options, "level", None):
        raise Unusable("Level and moves cannot both come from standard input.")
    return read_text(options.moves_file or "-")


def display_name(name: str) -> str:
    """Return the name of a file for messages."""
    return "standard input" if name == "-" else name


def last_position(level: Level, moves: str, step: int | None = None) -> Position:
    """Return the position after *step* moves, or after all possible ones. Raise BadLevel unless there is one player."""
    playback = Playback(level, replay(level, Moves.parse(moves)).lurd)
    last = len(playback) - 1
    return playback[last if step is None else max(0, min(step, last))]


def add_level_argument(command: argparse.ArgumentParser, nargs: str | None = None) -> None:
    """Add arguments for a file with levels and the number of one level."""
    command.add_argument("level", metavar="LEVEL", nargs=nargs, help="a file with levels")
    command.add_argument("-n", "--number", type=int, metavar="N", help="take level N of the file")


def add_moves_options(command: argparse.ArgumentParser) -> None:
    """Add arguments for moves, in a file or as a string."""
    command.add_argument("moves_file", nargs="?", metavar="MOVES", help="a file with the moves")
    command.add_argument("-m", "--moves", metavar="LURD", help="the moves themselves")


def write_output(content: str | bytes, name: str | None) -> None:
    """Write a result to a file, or text to standard output if *name* is None or -. Raise Unusable."""
    if name is None or name == "-":
        sys.stdout.write(content if isinstance(content, str) else content.decode())
        return
    try:
        write_file(name, content.encode() if isinstance(content, str) else content)
    except (OSError, ValueError) as error:
        raise Unusable(f"{name} cannot be written: {_reason_for(error)}.") from None
