"""The command line: `python -m solvers.sokoban COMMAND ...`. docs/solvers.md shows it at work.

Exit codes: 0 fine or solved, 1 judged and not solved or not valid, 2 wrong usage or unreadable input, 130 interrupted,
141 when nobody reads the output any more (what a shell reports of other programs then).
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence

from solvers.errors import Contradiction, NoPush, PuzzleError
from solvers.sokoban.commands import converting, drawing, listing, making, pathfinding, replaying
from solvers.sokoban.commands.reading import NOT_SOLVED, UNREADABLE, Unusable

INTERRUPTED, NOBODY_READS = 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command and return the exit code. Whatever is wrong with the input is said in words."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a title may have letters that the terminal has not
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return _carried_out(_parser().parse_args(arguments))
        finally:
            print(end="", flush=True)  # here, and not when the interpreter ends, because it may fail
    except BrokenPipeError:
        return _silenced(NOBODY_READS)
    except KeyboardInterrupt:
        return _silenced(INTERRUPTED)
    except OSError as error:  # of the output: a full disk
        print(f"The output cannot be written: {error.strerror}.", file=sys.stderr)
        return _silenced(UNREADABLE)


def _carried_out(options: argparse.Namespace) -> int:
    try:
        return int(options.command(options))
    except Unusable as refusal:
        _refuse(options, "unusable", str(refusal))
    except PuzzleError as error:
        _refuse(options, error.code, str(error), error)
        if isinstance(error, Contradiction | NoPush):  # it was read, and judged
            return NOT_SOLVED
    return UNREADABLE


def _refuse(options: argparse.Namespace, code: str, words: str, error: PuzzleError | None = None) -> None:
    if getattr(options, "json", False):
        place = {"index": error.index, "line": error.line, "column": error.column} if error else {}
        print(json.dumps({"error": code, "message": words, **place}))
    else:
        print(words, file=sys.stderr)


def _silenced(code: int) -> int:
    """Let the interpreter close an output that takes nothing more without another word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m solvers.sokoban",
        description="Replay, check, convert and draw Sokoban levels. Files may be of any format; - is standard input.",
        epilog="Exit codes: 0 fine or solved, 1 not solved or not valid, 2 wrong usage or unreadable input.",
    )
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (replaying, listing, converting, pathfinding, making, drawing):
        command.add(verbs)
    return parser


if __name__ == "__main__":
    sys.exit(main())
