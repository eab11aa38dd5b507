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

from solvers.commandline import field
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
    """One object of a question: its game, the complete object, and the parts of its position."""

    game: Game[Any]
    task: dict[str, Any]
    parts: tuple[Hashable, ...]

    @property
    def is_whole(self) -> bool:
        return NOTATIONS[self.task["game"]].is_whole

    def terms(self) -> list[Term]:
        return [Term(self.game, part) for part in self.parts]

    def after(self, part: int, become: Sequence[Hashable]) -> Any:
        """Return the position after a move in one part, as JSON data."""
        parts = [*self.parts[:part], *become, *self.parts[part + 1 :]]
        return _as_lists(parts[0] if self.is_whole else parts)


def answer(task: dict[str, Any], player: Player) -> dict[str, Any]:
    """Answer one question. Raise NoField, NotWhole, or an error of `solvers.games.errors`.

    >>> answer({"game": "chomp", "position": [2, 2]}, Player())
    {'grundy': 2, 'wins': True, 'moves': [[2, 1]]}
    """
    is_sum = "sum" in task
    positions = [read(one) for one in _summands(task["sum"])] if is_sum else [read(task)]
    misere = task.get("misere", False)
    if not isinstance(misere, bool):
        raise NotAPosition(game="misere", expected="true or false", value=misere)
    terms = [term for position in positions for term in position.terms()]
    if len(terms) > MOST_PARTS:
        raise TooManyParts(limit=MOST_PARTS, number=len(terms))
    shown = [_show(positions, move, is_sum=is_sum) for move in player.winning_moves(terms, misere=misere)]
    return {
        "grundy": None if misere else player.grundy(terms),
        "wins": player.wins(terms, misere=misere),
        "moves": list({json.dumps(one): one for one in shown}.values()),  # two moves may lead to the same position
    }


def read(task: Any) -> Position:
    """Parse an object with game and position."""
    if not isinstance(task, dict):
        raise NotAPosition(game="a sum", expected="a list of objects with game and position", value=task)
    name = field(task, "game")
    if not isinstance(name, str) or name not in NOTATIONS:
        raise NoSuchGame(value=name, names=", ".join(NOTATIONS))
    notation, given = NOTATIONS[name], field(task, "position")
    if not isinstance(given, list):
        raise _no_position(name, given)
    if len(given) > MOST_PARTS:
        raise TooManyParts(limit=MOST_PARTS, number=len(given))
    parts = [given] if notation.is_whole else given
    return Position(notation.game(task), task, tuple(notation.read(name, part) for part in parts))


def _summands(given: Any) -> list[Any]:
    if not isinstance(given, list):
        raise NotAPosition(game="a sum", expected="a list of objects with game and position", value=given)
    if len(given) > MOST_PARTS:
        raise TooManyParts(limit=MOST_PARTS, number=len(given))
    return given


def _show(positions: list[Position], move: Move, *, is_sum: bool) -> Any:
    """Return the result of a winning move: a position, or the list of a sum."""
    part, shown = move.term, []
    for position in positions:
        here = 0 <= part < len(position.parts)
        after = position.after(part, move.parts) if here else position.task["position"]
        part -= len(position.parts)
        shown.append({**position.task, "position": after})
    return shown if is_sum else shown[0]["position"]


def _as_lists(value: Any) -> Any:
    return [_as_lists(one) for one in value] if isinstance(value, list | tuple) else value


def _no_position(name: str, given: Any) -> NotAPosition:
    return NotAPosition(game=name, expected=NOTATIONS[name].expected, value=given)


def _number(name: str, given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise NotWhole(name=f"A position of {name}", value=given)
    if given < 0:
        raise NegativeNumber(game=name, number=given)
    if given > LARGEST:
        raise TooLargeNumber(game=name, limit=LARGEST, number=given)
    return given


def _bar(name: str, given: list[Any]) -> tuple[int, ...]:
    rows = tuple(_number(name, one) for one in given)
    if not rows or 0 in rows or any(after > before for before, after in pairwise(rows)):
        raise _no_position(name, given)
    if sum(rows) > MOST_SQUARES:
        raise TooLargeNumber(game=name, limit=MOST_SQUARES, number=sum(rows))
    return rows


def _pair(name: str, given: list[Any]) -> tuple[int, ...]:
    if len(given) != 2:
        raise _no_position(name, given)
    return tuple(_number(name, one) for one in given)


def _board(name: str, given: Any) -> str:
    if not isinstance(given, str) or len(given) != 9 or {*given} - {CROSS, EMPTY}:
        raise _no_position(name, given)
    return given


NOTATIONS: dict[str, Notation] = {
    "nim": Notation(lambda _task: NIM, "a list of heaps", _number),
    "chomp": Notation(
        lambda _task: CHOMP, "a list of the lengths of rows, none 0 or longer than the one before", _bar, is_whole=True
    ),
    "notakto": Notation(lambda _task: NOTAKTO, "a list of boards, each nine characters of X and -", _board),
    "kayles": Notation(lambda _task: KAYLES, "a list of rows of pins", _number),
    "dawsons_chess": Notation(lambda _task: DAWSONS_CHESS, "a list of rows of pawns", _number),
    "octal": Notation(lambda task: Octal(field(task, "code")), "a list of rows", _number),
    "subtraction": Notation(lambda task: Subtraction(field(task, "set")), "a list of heaps", _number),
    "wythoff": Notation(lambda _task: WYTHOFF, "a list of two heaps", _pair, is_whole=True),
}
