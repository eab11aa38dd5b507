"""Command line: `python -m solvers.knights 8 8 0,0 7,7`. See docs/knights.md for examples.

Exit codes: 0 success, 1 no path (with --jsonl: a line could not be answered), 2 wrong usage or impossible input,
130 interrupted, 141 if the reader of the output closed the pipe.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from solvers.commandline import (
    FINE,
    NOT_SOLVED,
    UNREADABLE,
    answer_lines,
    explaining_parser,
    refusal,
    run,
    write_object,
)
from solvers.errors import PuzzleError
from solvers.knights.batch import KNIGHT, Piece, answer
from solvers.knights.board import Board
from solvers.knights.counts import WORDS, case
from solvers.knights.greedy import excesses
from solvers.knights.leapers import Leaper
from solvers.knights.picture import cases_svg

_GREEDY_MOST = 10_000  # squares: each needs a walk


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    return run(lambda: _carry_out(_options(arguments)))


def _carry_out(options: argparse.Namespace) -> int:
    try:
        piece = Leaper(*options.leaper) if options.leaper else KNIGHT
        if options.jsonl:
            return answer_lines(partial(answer, piece=piece, with_path=options.path), {"moves": None})
        if options.picture:
            return _draw(options.picture)
        if options.greedy:
            return _measure_greedy(options)
        return _answer_one(options, piece)
    except PuzzleError as error:
        if options.json:
            print(json.dumps(refusal(error)))
        else:
            print(error, file=sys.stderr)
        return UNREADABLE


def _answer_one(options: argparse.Namespace, piece: Piece) -> int:
    task = {"rows": options.rows, "columns": options.columns, "from": options.start, "to": options.target}
    said = answer(task, piece, with_path=options.path)
    moves = said["moves"]
    if options.json:
        write_object(said)
    else:
        _say(options, piece, moves)
        for row, column in said.get("path") or ():
            print(f"{row},{column}")
    return NOT_SOLVED if moves is None else FINE


def _say(options: argparse.Namespace, piece: Piece, moves: int | None) -> None:
    counted = "No path" if moves is None else f"{moves} move{'' if moves == 1 else 's'}"
    if piece is KNIGHT and moves is not None:
        rule = case(Board(options.rows, options.columns), options.start, options.target)
        counted += f" ({WORDS[rule]})"
    print(f"{counted}.")


def _draw(name: str) -> int:
    try:
        Path(name).write_text(cases_svg(), "utf-8")
    except (OSError, ValueError) as error:
        print(f"{name} cannot be written: {getattr(error, 'strerror', None) or error}.", file=sys.stderr)
        return UNREADABLE
    return FINE


def _measure_greedy(options: argparse.Namespace) -> int:
    board = Board(options.rows, options.columns)
    if board.rows * board.columns > _GREEDY_MOST:
        print(f"The greedy method is measured on at most {_GREEDY_MOST:,} squares.", file=sys.stderr)
        return UNREADABLE
    found = excesses(board, board.square(options.start))
    for longer, squares in sorted(found.items()):
        print(f"{longer} moves longer than shortest: {squares:,} of {found.total():,} squares")
    return FINE


def read_arguments() -> argparse.ArgumentParser:
    """Return the parser. See `explaining_parser`."""
    parser = explaining_parser(
        "knights",
        "Count the moves of a shortest knight's path by arithmetic, on a board of any size.",
        ["knights 8 8 0,0 7,7", "knights 8 8 0,0 7,7 --path --json", "knights 100 100 0,0 99,99 --leaper 1,3"],
        "0 fine, 1 no path, or a line without an answer, 2 wrong usage or impossible input",
    )
    parser.add_argument("rows", nargs="?", type=int, metavar="ROWS", help="of the board")
    parser.add_argument("columns", nargs="?", type=int, metavar="COLUMNS", help="of the board")
    parser.add_argument("start", nargs="?", type=_pair, metavar="ROW,COLUMN", help="the first square, from 0,0")
    parser.add_argument("target", nargs="?", type=_pair, metavar="ROW,COLUMN", help="the last square")
    parser.add_argument("--path", action="store_true", help="say every square of the path")
    parser.add_argument("--leaper", type=_pair, metavar="A,B", help="another leaper than the knight 1,2; by search")
    parser.add_argument("--json", action="store_true", help="answer by a JSON object")
    parser.add_argument("--jsonl", action="store_true", help="read a question on each line of standard input")
    parser.add_argument("--picture", metavar="FILE", help="draw the three cases as SVG")
    parser.add_argument("--greedy", action="store_true", help="measure the greedy method from ROW,COLUMN to everywhere")
    return parser


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = read_arguments()
    options = parser.parse_args(arguments)
    needed = {"rows": "ROWS", "columns": "COLUMNS", "start": "the first square", "target": "the last square"}
    if options.jsonl or options.picture:
        needed = {}
    elif options.greedy:
        del needed["target"]
    if missing := [words for name, words in needed.items() if getattr(options, name) is None]:
        parser.error(f"missing: {', '.join(missing)}")
    return options


def _pair(text: str) -> tuple[int, int]:
    try:
        first, second = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a row and a column with a comma between") from None
    return first, second


if __name__ == "__main__":
    sys.exit(main())
