"""Command line: `python -m solvers.games nim 3 4 5`. See docs/games.md for examples.

Exit codes: 0 success, 1 with --jsonl: a line could not be answered, 2 wrong usage or impossible input, 130 interrupted,
141 if the reader of the output closed the pipe.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from solvers.commandline import FINE, UNREADABLE, answer_lines, explaining_parser, refusal, run
from solvers.errors import PuzzleError
from solvers.games import octal, subtraction
from solvers.games.batch import NOTATIONS, answer
from solvers.games.play import Player

_NOTHING = {"grundy": None, "wins": None, "moves": None}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    return run(lambda: _carry_out(_options(arguments)))


def _carry_out(options: argparse.Namespace) -> int:
    try:
        if options.jsonl:
            return answer_lines(partial(answer, player=Player()), _NOTHING)
        if options.period:
            return _say_period(options)
        return _answer_one(options)
    except PuzzleError as error:
        if options.json:
            print(json.dumps(refusal(error)))
        else:
            print(error, file=sys.stderr)
        return UNREADABLE


def _answer_one(options: argparse.Namespace) -> int:
    said = answer(_task(options), Player())
    if options.json:
        print(json.dumps(said))
        return FINE
    value = "" if said["grundy"] is None else f"Grundy value {said['grundy']}: "
    wins = "who is to move wins" if said["wins"] else "who is to move loses"
    print(f"{value}{wins}.".capitalize() if not value else f"{value}{wins}.")
    for position in said["moves"]:
        print(*(position or ["nothing left"]))
    return FINE


def _task(options: argparse.Namespace) -> dict[str, Any]:
    position = [int(part) if part.lstrip("-").isdecimal() else part for part in options.position]
    task = {"game": options.game, "position": position, "misere": options.misere}
    if options.code is not None:
        task["code"] = options.code
    if options.set is not None:
        task["set"] = options.set
    return task


def _say_period(options: argparse.Namespace) -> int:
    codes = {"kayles": octal.KAYLES.code, "dawsons_chess": octal.DAWSONS_CHESS.code}
    if options.game == "subtraction":
        found = subtraction.period(subtraction.read_numbers(options.set))
    else:
        found = octal.period(codes.get(options.game, options.code))
    if found is None:
        print("No period is proved by the values searched.")
    else:
        print(f"The values repeat every {found.length} from {found.start} on.")
    return FINE


def read_arguments() -> argparse.ArgumentParser:
    """Return the parser. See `explaining_parser`."""
    parser = explaining_parser(
        "games",
        "Say who wins an impartial game, and by which moves.",
        ["games nim 3 5 7", "games nim 3 5 7 --misere --json", "games octal --code 0.77 --period"],
        "0 fine, 1 a line without an answer, 2 wrong usage or impossible input",
    )
    parser.add_argument("game", nargs="?", choices=list(NOTATIONS), metavar="GAME", help=", ".join(NOTATIONS))
    parser.add_argument("position", nargs="*", metavar="PART", help="heaps, rows or boards; write -- before boards")
    parser.add_argument("--misere", action="store_true", help="who makes the last move loses")
    parser.add_argument("--code", metavar="0.D1D2", help="of an octal game")
    parser.add_argument("--set", type=_numbers, metavar="A,B,C", help="what may be taken in a subtraction game")
    parser.add_argument("--period", action="store_true", help="search the period of the Grundy values")
    parser.add_argument("--json", action="store_true", help="answer by a JSON object")
    parser.add_argument("--jsonl", action="store_true", help="read a question on each line of standard input")
    return parser


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = read_arguments()
    options = parser.parse_intermixed_args(arguments)
    if not options.jsonl and options.game is None:
        parser.error("name a game, or --jsonl")
    if options.period and options.game not in ("kayles", "dawsons_chess", "octal", "subtraction"):
        parser.error("--period is for kayles, dawsons_chess, octal and subtraction")
    return options


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers with commas between") from None


if __name__ == "__main__":
    sys.exit(main())
