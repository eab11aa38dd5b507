"""Command line: `python -m solvers.sokoban COMMAND ...`. See docs/reference/solvers.md for examples.

Exit codes: 0 success or solved, 1 judged as not solved or not valid, 2 wrong usage or unreadable input, 3 proved but
too large for a certificate, 130 interrupted, 141 if the reader of the output closed the pipe (what a shell reports for
SIGPIPE).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module

from solvers.commandline import error_as_json, make_parser, run_command
from solvers.errors import Contradiction, NoPush, PuzzleError
from solvers.sokoban.commands.reading import NOT_SOLVED, UNREADABLE, Unusable

# Map each command to its module in `commands`. Only the requested module is imported: all of them take 0.1 s.
COMMANDS = {
    "replay": "replaying",
    "levels": "listing",
    "check": "listing",
    "convert": "converting",
    "paths": "pathfinding",
    "rebuild": "making",
    "series": "making",
    "draw": "drawing",
    "tree": "teaching",
    "speed": "teaching",
    "solve": "solving",
    "prove": "solving",
    "optimize": "solving",
    "coach": "solving",
    "find": "finding",
    "dataset": "dataset",
    "warm": "solving",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Report input errors as a message on stderr, or as JSON."""
    words = sys.argv[1:] if arguments is None else arguments
    return run_command(lambda: _execute(read_arguments(words[0] if words else "").parse_args(words)))


def _execute(options: argparse.Namespace) -> int:
    try:
        return int(options.command(options))
    except Unusable as unusable:
        _print_refusal(options, "unusable", str(unusable))
    except PuzzleError as error:
        _print_refusal(options, error.code, str(error), error)
        if isinstance(error, Contradiction | NoPush):  # the input was readable, and the verdict is negative
            return NOT_SOLVED
    return UNREADABLE


def _print_refusal(options: argparse.Namespace, code: str, message: str, error: PuzzleError | None = None) -> None:
    if getattr(options, "json", False):
        print(json.dumps(error_as_json(error) if error else {"error": code, "message": message}))
    else:
        print(message, file=sys.stderr)


def read_arguments(verb: str = "") -> argparse.ArgumentParser:
    """Return the parser for *verb*, or for all commands if *verb* is unknown. See `make_parser`."""
    parser = make_parser(
        "sokoban",
        "Replay, check, convert, draw and solve Sokoban levels. Files: any format; - is standard input.",
        [
            "sokoban replay level.xsb -m rR",
            "sokoban check collection.sok --contest",
            "sokoban convert collection.sok --to mf8 -o -",
            "sokoban draw level.xsb -m rR -o film.gif",
            "sokoban solve level.xsb --json",
        ],
        "0 fine or solved, 1 not solved or not valid, 2 wrong usage or unreadable input, 3 proved without certificate",
    )
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in [COMMANDS[verb]] if verb in COMMANDS else dict.fromkeys(COMMANDS.values()):
        import_module(f"solvers.sokoban.commands.{module}").add(verbs)
    return parser


if __name__ == "__main__":
    sys.exit(main())
