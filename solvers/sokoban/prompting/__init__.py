"""Levels as questions for language models, and their answers as moves: used by the MCP server and by leitai-gym.

The judge is `replay`: no answer is scored by its words.
"""

import re
from collections.abc import Iterable

from solvers.sokoban.commands.words import number_of
from solvers.sokoban.game import Game
from solvers.sokoban.level import Level
from solvers.sokoban.moves import Moves
from solvers.sokoban.reading.readers import candidates
from solvers.sokoban.replay import Replay, Verdict, replay

RULES = """\
Sokoban: push every box ($) onto a goal (.). You are the player (@).
# is a wall, - is floor, * is a box on a goal, + is the player on a goal.
A step goes one cell left, up, right or down: l, u, r, d. Rows count from 0 at the top, columns from 0 at the left.
A step onto a box pushes it one cell further, if that cell is neither a wall nor a box. You cannot pull, and push only
one box at a time. A box in a corner without a goal can never leave it.
A solution is a text of these letters, such as rrUl. Capitals for pushes are welcome, but not needed."""

_ANSWER = re.compile(r"^[^\w\n]*MOVES[^\w\n]*?[:：]", re.MULTILINE)
REQUEST = "End your answer with one line that begins with MOVES: and has only your solution, such as MOVES: rrUl"


def describe_level(level: Level) -> str:
    """Return the board with numbered rows and columns, and where player, boxes and goals are.

    >>> print(describe_level(Level.parse("######|#@$-.#|######")))
       012345
     0 ######
     1 #@$-.#
     2 ######
    Player at row 1, column 1. Boxes: (1, 2). Goals: (1, 4).
    """
    columns = range(level.width)
    head = [
        "".join(str(column // power % 10) if column >= power else " " for column in columns)
        for power in (100, 10)
        if level.width > power
    ]
    head.append("".join(str(column % 10) for column in columns))
    indent = max(2, len(str(level.height - 1)))
    rows = [" " * indent + f" {line}" for line in head]
    rows += [f"{number:{indent}} {row}" for number, row in enumerate(level.rows())]
    player = ", ".join(f"row {row}, column {column}" for row, column in _places(level, level.players))
    boxes, goals = (", ".join(map(str, _places(level, cells))) for cells in (level.boxes, level.goals))
    return "\n".join([*rows, f"Player at {player}. Boxes: {boxes}. Goals: {goals}."])


def _places(level: Level, cells: Iterable[int]) -> list[tuple[int, int]]:
    return [divmod(cell, level.width) for cell in cells]


def question(level: Level) -> str:
    """Return the whole question about *level*: rules, board, and how to answer."""
    return f"{RULES}\n\n{describe_level(level)}\n\n{REQUEST}"


def read_answer(text: str) -> str:
    """Return the moves in a model's answer, as the site's reader of free text finds them, or "".

    They are those of the last line that begins with MOVES:, with the lines of moves that follow it. Without such a line
    the first moves count; lines of moves come before moves within other lines. Only one solution is taken, so an answer
    cannot guess twice.

    >>> read_answer("Perhaps\\n\\nrR\\n\\nNo.\\n\\nMOVES: RR")
    'RR'
    """
    text = _ANSWER.split(text)[-1]
    return next((found.moves.steps for found in candidates(text) if found.moves.steps and not found.error), "")


def score(level: Level, answer: str) -> Replay:
    """Return the replay of the moves in *answer* on *level*. Raise BadLevel if the level cannot be judged."""
    return replay(level, read_answer(answer))


def describe_attempt(level: Level, moves: Moves | str) -> str:
    """Replay *moves* and return the result in words: counts, the first impossible step, and the board before it.

    >>> print(describe_attempt(Level.parse("######|#@$-.#|######"), "ru"))
    Move 2 (u) walks into a wall. Before it: 1 move, 1 push. Boxes on goals: 0 of 1. The board then:
       012345
     0 ######
     1 #-@$.#
     2 ######
    Player at row 1, column 2. Boxes: (1, 3). Goals: (1, 4).

    Raise BadLevel if the level cannot be judged, PuzzleError if *moves* cannot be read.
    """
    moves = Moves.of(moves)
    result = replay(level, moves)
    counts = f"{number_of(result.moves, 'move')}, {number_of(result.pushes, 'push', 'pushes')}"
    if result.is_solved:
        rest = f" {number_of(result.cut, 'step')} after the solution {'does' if result.cut == 1 else 'do'} not count."
        return f"Solved: {counts}.{rest if result.cut else ''}"
    if result.verdict == Verdict.EMPTY:
        return "There is no move in this text."
    game = Game.from_lurd(level, result.lurd)
    boxes = f"Boxes on goals: {result.boxes_home} of {result.boxes}."
    if result.why:
        start = f"Move {result.step} ({moves.steps[result.moves]}) {result.why.phrase}. Before it: {counts}. {boxes}"
    else:
        start = f"Not solved yet: {counts}. {boxes}"
    if kind := game.is_dead():
        start += f" This position can never be solved ({kind.value.replace('_', ' ')})."
    return f"{start} The board then:\n{describe_level(game.to_level())}"
