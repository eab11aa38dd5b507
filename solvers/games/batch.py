"""Positions and answers of the perfect player as JSON, the format of the command line and of other programs.

    {"game": "nim", "position": [3, 4, 5]}

The answer is {"grundy": 2, "wins": true, "moves": [[1, 4, 5]]}: the Grundy value, whether the next player wins, and all
winning moves, each as the resulting position. A sum of several games is

    {"sum": [{"game": "nim", "position": [3, 4]}, {"game": "chomp", "position": [4, 4, 4]}]}

and each of its moves is a list like that of "sum". With "misere": true, the player who makes the last move loses;
"grundy" is then null.

| game | position |
|---|---|
| nim | heaps |
| chomp | lengths of rows from the poisoned corner, none longer than the one before |
| notakto | boards, each nine characters of X and -, row by row |
| kayles | rows of pins |
| dawsons_chess | rows of pawns |
| octal | rows, with "code": "0.137" beside it |
| subtraction | heaps, with "set": [1, 2, 3] beside it |
| wythoff | two heaps |
"""

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from solvers.commandline import read_field
from solvers.errors import NotWhole
from solvers.games.chomp import CHOMP
from solvers.games.errors import NegativeNumber, NoSuchGame, NotAPosition, TooLargeNumber, TooManyParts
from solvers.games.nim import NIM
from solvers.games.notakto import CROSS, EMPTY, NOTAKTO
from solvers.games.octal import DAWSONS_CHESS, KAYLES, Octal
from solvers.games.play import Move, Player
from solvers.games.protocol import Game, Term
from solvers.games.subtraction import Subtraction
from solvers.games.wythoff import WYTHOFF

MOST_PARTS = 1_000
LARGEST = 10**18
MOST_SQUARES = 400  # squares of a bar of chocolate


@dataclass(frozen=True)
class Notation:
    """Notation of a game's positions: a list with one item per part or, if *is_whole*, one list."""

    game: Callable[[dict[str, Any]], Game[Any]]
    expected: str
    read: Callable[[str, Any], Hashable]
    is_whole: bool = False


@dataclass(frozen=True)
class Position:
    """A position in a question: its game, its JSON object *task*, and its independent *parts*."""

    game: Game[Any]
    task: dict[str, Any]
    parts: tuple[Hashable, ...]

    @property
    def is_whole(self) -> bool:
        return NOTATIONS[self.task["game"]].is_whole

    def terms(self) -> list[Term]:
        return [Term(self.game, part) for part in self.parts]

    def after_move(self, part: int, replacement: Sequence[Hashable]) -> Any:
        """Return the position after a move in one part, as JSON data."""
        parts = [*self.parts[:part], *replacement, *self.parts[part + 1 :]]
        return _as_lists(parts[0] if self.is_whole else parts)


def answer(task: dict[str, Any], player: Player) -> dict[str, Any]:
    """Answer one question. Raise NoField, NotWhole, or an error of `solvers.games.errors`.

    >>> answer({"game": "chomp", "position": [2, 2]}, Player())
    {'grundy': 2, 'wins': True, 'moves': [[2, 1]]}
    """
    is_sum = "sum" in task
    positions = [read_position(summand) for summand in _read_summands(task["sum"])] if is_sum else [read_position(task)]
    misere = task.get("misere", False)
    if not isinstance(misere, bool):
        raise NotAPosition(game="misere", expected="true or false", value=misere)
    terms = [term for position in positions for term in position.terms()]
    if len(terms) > MOST_PARTS:
        raise TooManyParts(limit=MOST_PARTS, number=len(terms))
    results = [_move_as_json(positions, move, is_sum=is_sum) for move in player.winning_moves(terms, misere=misere)]
    return {
        "grundy": None if misere else player.grundy(terms),
        "wins": player.wins(terms, misere=misere),
        "moves": list(
            {json.dumps(result): result for result in results}.values()
        ),  # two moves may lead to the same position
    }


def read_position(task: Any) -> Position:
    """Parse an object with game and position."""
    if not isinstance(task, dict):
        raise NotAPosition(game="a sum", expected="a list of objects with game and position", value=task)
    name = read_field(task, "game")
    if not isinstance(name, str) or name not in NOTATIONS:
        raise NoSuchGame(value=name, names=", ".join(NOTATIONS))
    notation, given = NOTATIONS[name], read_field(task, "position")
    if not isinstance(given, list):
        raise _position_error(name, given)
    if len(given) > MOST_PARTS:
        raise TooManyParts(limit=MOST_PARTS, number=len(given))
    parts = [given] if notation.is_whole else given
    return Position(notation.game(task), task, tuple(notation.read(name, part) for part in parts))


def _read_summands(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise NotAPosition(game="a sum", expected="a list of objects with game and position", value=value)
    if len(value) > MOST_PARTS:
        raise TooManyParts(limit=MOST_PARTS, number=len(value))
    return value


def _move_as_json(positions: list[Position], move: Move, *, is_sum: bool) -> Any:
    """Return the result of a winning move: a position, or the list of a sum."""
    part, results = move.term, []
    for position in positions:
        is_moved = 0 <= part < len(position.parts)
        after = position.after_move(part, move.parts) if is_moved else position.task["position"]
        part -= len(position.parts)
        results.append({**position.task, "position": after})
    return results if is_sum else results[0]["position"]


def _as_lists(value: Any) -> Any:
    return [_as_lists(item) for item in value] if isinstance(value, list | tuple) else value


def _position_error(name: str, value: Any) -> NotAPosition:
    return NotAPosition(game=name, expected=NOTATIONS[name].expected, value=value)


def _read_number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotWhole(name=f"A position of {name}", value=value)
    if value < 0:
        raise NegativeNumber(game=name, number=value)
    if value > LARGEST:
        raise TooLargeNumber(game=name, limit=LARGEST, number=value)
    return value


def _read_bar(name: str, value: list[Any]) -> tuple[int, ...]:
    rows = tuple(_read_number(name, item) for item in value)
    if not rows or 0 in rows or any(after > before for before, after in pairwise(rows)):
        raise _position_error(name, value)
    if sum(rows) > MOST_SQUARES:
        raise TooLargeNumber(game=name, limit=MOST_SQUARES, number=sum(rows))
    return rows


def _read_pair(name: str, value: list[Any]) -> tuple[int, ...]:
    if len(value) != 2:
        raise _position_error(name, value)
    return tuple(_read_number(name, item) for item in value)


def _read_board(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) != 9 or {*value} - {CROSS, EMPTY}:
        raise _position_error(name, value)
    return value


NOTATIONS: dict[str, Notation] = {
    "nim": Notation(lambda _task: NIM, "a list of heaps", _read_number),
    "chomp": Notation(
        lambda _task: CHOMP,
        "a list of the lengths of rows, none 0 or longer than the one before",
        _read_bar,
        is_whole=True,
    ),
    "notakto": Notation(lambda _task: NOTAKTO, "a list of boards, each nine characters of X and -", _read_board),
    "kayles": Notation(lambda _task: KAYLES, "a list of rows of pins", _read_number),
    "dawsons_chess": Notation(lambda _task: DAWSONS_CHESS, "a list of rows of pawns", _read_number),
    "octal": Notation(lambda task: Octal(read_field(task, "code")), "a list of rows", _read_number),
    "subtraction": Notation(lambda task: Subtraction(read_field(task, "set")), "a list of heaps", _read_number),
    "wythoff": Notation(lambda _task: WYTHOFF, "a list of two heaps", _read_pair, is_whole=True),
}
