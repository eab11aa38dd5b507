"""Command line: `python -m solvers.games nim 3 4 5`. See docs/reference/games.md for examples.

Exit codes: 0 success, 1 with --jsonl: a line could not be answered, 2 wrong usage or impossible input, 130 interrupted,
141 if the reader of the output closed the pipe.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from solvers.commandline import SUCCESS, UNREADABLE, answer_lines, error_as_json, make_parser, run_command
from solvers.errors import PuzzleError
from solvers.games import octal, subtraction
from solvers.games.batch import NOTATIONS, answer
from solvers.games.game_tree import draw_game_tree
from solvers.games.play import Player

_EMPTY_ANSWER = {"grundy": None, "wins": None, "moves": None}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    return run_command(lambda: _execute(_parse_options(arguments)))


def _execute(options: argparse.Namespace) -> int:
    try:
        if options.jsonl:
            return answer_lines(partial(answer, player=Player()), _EMPTY_ANSWER)
        if options.tree:
            print(draw_game_tree(_read_task(options), standalone=True))
            return SUCCESS
        if options.period:
            return _print_period(options)
        return _print_answer(options)
    except PuzzleError as error:
        if options.json:
            print(json.dumps(error_as_json(error)))
        else:
            print(error, file=sys.stderr)
        return UNREADABLE


def _print_answer(options: argparse.Namespace) -> int:
    result = answer(_read_task(options), Player())
    if options.json:
        print(json.dumps(result))
        return SUCCESS
    value = "" if result["grundy"] is None else f"Grundy value {result['grundy']}: "
    wins = "who is to move wins" if result["wins"] else "who is to move loses"
    print(f"{value}{wins}.".capitalize() if not value else f"{value}{wins}.")
    for position in result["moves"]:
        print(*(position or ["nothing left"]))
    return SUCCESS


def _read_task(options: argparse.Namespace) -> dict[str, Any]:
    position = [int(part) if part.lstrip("-").isdecimal() else part for part in options.position]
    task = {"game": options.game, "position": position, "misere": options.misere}
    if options.code is not None:
        task["code"] = options.code
    if options.set is not None:
        task["set"] = options.set
    return task


def _print_period(options: argparse.Namespace) -> int:
    codes = {"kayles": octal.KAYLES.code, "dawsons_chess": octal.DAWSONS_CHESS.code}
    if options.game == "subtraction":
        period = subtraction.period(subtraction.read_numbers(options.set))
    else:
        period = octal.period(codes.get(options.game, options.code))
    if period is None:
        print("No period is proved by the values searched.")
    else:
        print(f"The values repeat every {period.length} from {period.start} on.")
    return SUCCESS


def read_arguments() -> argparse.ArgumentParser:
    """Return the parser. See `make_parser`."""
    parser = make_parser(
        "games",
        "Say who wins an impartial game, and by which moves.",
        ["games nim 3 5 7", "games nim 3 5 7 --misere --json", "games octal --code 0.77 --period"],
        "0 fine, 1 a line without an answer, 2 wrong usage or impossible input",
    )
    parser.add_argument("game", nargs="?", choices=list(NOTATIONS), metavar="GAME", help=", ".join(NOTATIONS))
    parser.add_argument("position", nargs="*", metavar="PART", help="heaps, rows or boards; write -- before boards")
    parser.add_argument("--misere", action="store_true", help="who makes the last move loses")
    parser.add_argument("--code", metavar="0.D1D2", help="of an octal game")
    parser.add_argument("--set", type=_parse_numbers, metavar="A,B,C", help="what may be taken in a subtraction game")
    parser.add_argument("--period", action="store_true", help="search the period of the Grundy values")
    parser.add_argument("--tree", action="store_true", help="draw all positions with their Grundy values, as SVG")
    parser.add_argument("--json", action="store_true", help="answer by a JSON object")
    parser.add_argument("--jsonl", action="store_true", help="read a question on each line of standard input")
    return parser


def _parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = read_arguments()
    options = parser.parse_intermixed_args(arguments)
    if not options.jsonl and options.game is None:
        parser.error("name a game, or --jsonl")
    if options.period and options.game not in ("kayles", "dawsons_chess", "octal", "subtraction"):
        parser.error("--period is for kayles, dawsons_chess, octal and subtraction")
    return options


def _parse_numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers with commas between") from None


if __name__ == "__main__":
    sys.exit(main())
