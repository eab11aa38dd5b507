"""`solve` and `replay`: find shortest solutions, and play written moves."""

import json
from argparse import Namespace
from typing import Any

from solvers.klotski.commands.reading import add_goal_options, add_layout_argument, read_question
from solvers.klotski.goals import Goal
from solvers.klotski.moves import MAX_TEXT
from solvers.klotski.replay import replay
from solvers.klotski.solve import solve as solution_of
from solvers.sokoban.commands.reading import NOT_SOLVED, SUCCESS, Verbs, read_text
from solvers.sokoban.commands.words import number_of


def add(verbs: "Verbs[Any]") -> None:
    """Add both commands to the command line."""
    solving = verbs.add_parser("solve", help="find a shortest way, or say that there is none")
    add_layout_argument(solving)
    add_goal_options(solving)
    solving.add_argument("--json", action="store_true", help="print one JSON object")
    solving.set_defaults(command=solve)
    replaying = verbs.add_parser("replay", help="play written moves")
    add_layout_argument(replaying)
    add_goal_options(replaying)
    replaying.add_argument("moves", metavar="MOVES", help="moves as B4d C5lu, or - for standard input")
    replaying.add_argument("--json", action="store_true", help="print one JSON object")
    replaying.set_defaults(command=play)


def solve(options: Namespace) -> int:
    """Print a shortest solution. Exit code 1 if there is none."""
    question = read_question(options)
    goal = question.target if options.to and question.target else Goal(options.goal)
    solution = solution_of(question.start, goal, is_strict=options.strict)
    if options.json:
        print(
            json.dumps({"moves": len(solution) if solution else None, "solution": str(solution) if solution else None})
        )
    elif solution:
        print(number_of(len(solution), "move"))
        if solution.moves:
            print(solution)
    else:
        print("There is no way: all that can be reached was searched.")
    return SUCCESS if solution else NOT_SOLVED


def play(options: Namespace) -> int:
    """Play moves and print the verdict. Exit code 1 if they do not lead to the goal."""
    question = read_question(options)
    result = replay(question, read_text("-") if options.moves == "-" else options.moves[: MAX_TEXT + 1])
    if options.json:
        print(json.dumps({
            "verdict": result.verdict, "moves": result.moves, "cut": result.cut, "step": result.step,
            "index": result.index, "why": result.why, "layout": result.layouts[-1].cells,
        }))  # fmt: skip
    elif result.why:
        print(f"Illegal: move {result.step} (character {(result.index or 0) + 1}): {result.why.phrase}.")
        print(result.layouts[-1])
    else:
        rest = f" {number_of(result.cut, 'more move')} after it." if result.cut else ""
        print(f"{'Solved' if result.is_solved else 'Not solved'}: {number_of(result.moves, 'move')}.{rest}")
        if not result.is_solved:
            print(result.layouts[-1])
    return SUCCESS if result.is_solved else NOT_SOLVED
