"""Command line: `python -m solvers.klotski COMMAND ...`. See docs/reference/klotski.md for examples.

Exit codes: 0 success or solved, 1 no solution, not solved or a record that differs, 2 wrong usage or unreadable input,
130 interrupted, 141 if the reader of the output closed the pipe.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from solvers.commandline import UNREADABLE, error_as_json, make_parser, run_command
from solvers.errors import PuzzleError
from solvers.klotski.commands import drawing, looking, recording, solving
from solvers.sokoban.commands.reading import Unusable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Report input errors as a message on stderr, or as JSON."""
    return run_command(lambda: _execute(read_arguments().parse_args(arguments)))


def _execute(options: argparse.Namespace) -> int:
    try:
        return int(options.command(options))
    except (PuzzleError, Unusable) as error:
        if getattr(options, "json", False):
            payload = {"error": "unusable", "message": str(error)}
            print(json.dumps(error_as_json(error) if isinstance(error, PuzzleError) else payload))
        else:
            print(error, file=sys.stderr)
    return UNREADABLE


def read_arguments() -> argparse.ArgumentParser:
    """Return the parser for all commands. See `make_parser`."""
    parser = make_parser(
        "klotski",
        "Solve, replay and draw Klotski (华容道), and recompute its records.",
        ["klotski solve VCCV/VCCV/VHHV/VooV/o..o", "klotski draw VCCV/VCCV/VHHV/VooV/o..o -o start.svg"],
        "0 fine or solved, 1 no way or not solved, 2 wrong usage or unreadable input",
    )
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (solving, looking, drawing, recording):
        command.add(verbs)
    return parser


if __name__ == "__main__":
    sys.exit(main())
