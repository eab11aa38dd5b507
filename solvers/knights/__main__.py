"""Command line: `python -m solvers.knights 8 8 0,0 7,7`. See docs/reference/knights.md for examples.

Exit codes: 0 success, 1 no path (with --jsonl: a line could not be answered), 2 wrong usage or impossible input,
130 interrupted, 141 if the reader of the output closed the pipe.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial

from solvers.commandline import (
    NOT_SOLVED,
    SUCCESS,
    UNREADABLE,
    answer_lines,
    error_as_json,
    make_parser,
    run_command,
    write_file,
    write_object,
)
from solvers.errors import PuzzleError
from solvers.knights.batch import KNIGHT, Piece, answer
from solvers.knights.board import Board
from solvers.knights.counts import WORDS, case
from solvers.knights.greedy import excesses
from solvers.knights.leapers import Leaper
from solvers.knights.picture import cases_svg

_MOST_GREEDY_SQUARES = 10_000  # squares: each needs a walk


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    return run_command(lambda: _execute(_parse_options(arguments)))


def _execute(options: argparse.Namespace) -> int:
    try:
        piece = Leaper(*options.leaper) if options.leaper else KNIGHT
        if options.jsonl:
            return answer_lines(partial(answer, piece=piece, with_path=options.path), {"moves": None})
        if options.picture:
            return _write_picture(options.picture)
        if options.greedy:
            return _measure_greedy(options)
        return _print_answer(options, piece)
    except PuzzleError as error:
        if options.json:
            print(json.dumps(error_as_json(error)))
        else:
            print(error, file=sys.stderr)
        return UNREADABLE


def _print_answer(options: argparse.Namespace, piece: Piece) -> int:
    task = {"rows": options.rows, "columns": options.columns, "from": options.start, "to": options.target}
    result = answer(task, piece, with_path=options.path)
    moves = result["moves"]
    if options.json:
        write_object(result)
    else:
        _print_count(options, piece, moves)
        for row, column in result.get("path") or ():
            print(f"{row},{column}")
    return NOT_SOLVED if moves is None else SUCCESS


def _print_count(options: argparse.Namespace, piece: Piece, moves: int | None) -> None:
    text = "No path" if moves is None else f"{moves} move{'' if moves == 1 else 's'}"
    if piece is KNIGHT and moves is not None:
        rule = case(Board(options.rows, options.columns), options.start, options.target)
        text += f" ({WORDS[rule]})"
    print(f"{text}.")


def _write_picture(path: str) -> int:
    try:
        write_file(path, cases_svg().encode())
    except (OSError, ValueError) as error:
        print(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.", file=sys.stderr)
        return UNREADABLE
    return SUCCESS


def _measure_greedy(options: argparse.Namespace) -> int:
    board = Board(options.rows, options.columns)
    if board.rows * board.columns > _MOST_GREEDY_SQUARES:
        print(f"The greedy method is measured on at most {_MOST_GREEDY_SQUARES:,} squares.", file=sys.stderr)
        return UNREADABLE
    counts = excesses(board, board.square(options.start))
    for excess, squares in sorted(counts.items()):
        print(f"{excess} moves longer than shortest: {squares:,} of {counts.total():,} squares")
    return SUCCESS


def read_arguments() -> argparse.ArgumentParser:
    """Return the parser. See `make_parser`."""
    parser = make_parser(
        "knights",
        "Count the moves of a shortest knight's path by arithmetic, on a board of any size.",
        ["knights 8 8 0,0 7,7", "knights 8 8 0,0 7,7 --path --json", "knights 100 100 0,0 99,99 --leaper 1,3"],
        "0 fine, 1 no path, or a line without an answer, 2 wrong usage or impossible input",
    )
    parser.add_argument("rows", nargs="?", type=int, metavar="ROWS", help="of the board")
    parser.add_argument("columns", nargs="?", type=int, metavar="COLUMNS", help="of the board")
    parser.add_argument("start", nargs="?", type=_parse_pair, metavar="ROW,COLUMN", help="the first square, from 0,0")
    parser.add_argument("target", nargs="?", type=_parse_pair, metavar="ROW,COLUMN", help="the last square")
    parser.add_argument("--path", action="store_true", help="say every square of the path")
    parser.add_argument(
        "--leaper", type=_parse_pair, metavar="A,B", help="another leaper than the knight 1,2; by search"
    )
    parser.add_argument("--json", action="store_true", help="answer by a JSON object")
    parser.add_argument("--jsonl", action="store_true", help="read a question on each line of standard input")
    parser.add_argument("--picture", metavar="FILE", help="draw the three cases as SVG")
    parser.add_argument("--greedy", action="store_true", help="measure the greedy method from ROW,COLUMN to everywhere")
    return parser


def _parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = read_arguments()
    options = parser.parse_args(arguments)
    needed = {"rows": "ROWS", "columns": "COLUMNS", "start": "the first square", "target": "the last square"}
    if options.jsonl or options.picture:
        needed = {}
    elif options.greedy:
        del needed["target"]
    if missing := [label for name, label in needed.items() if getattr(options, name) is None]:
        parser.error(f"missing: {', '.join(missing)}")
    return options


def _parse_pair(text: str) -> tuple[int, int]:
    try:
        first, second = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a row and a column with a comma between") from None
    return first, second


if __name__ == "__main__":
    sys.exit(main())
