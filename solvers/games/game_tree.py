"""Tree of a small impartial game: every position that can arise, each with its Grundy value by the definition."""

from collections.abc import Hashable
from typing import Any

from solvers.errors import TooMuchToDraw
from solvers.games.batch import read_position
from solvers.games.protocol import Game
from solvers.games.search import mex
from solvers.tree_drawing import MOST_NODES, Node, Text, draw_tree

Parts = tuple[Hashable, ...]


def grow_game_tree(task: dict[str, Any]) -> tuple[Node, int]:
    """Return the tree of a position and its Grundy value, the mex of the values one move later.

    *task* is a question as in `batch`. Moves that lead to the same position share a node, up to the game's symmetries
    and the order of its parts; parts without moves are left out.

    >>> root, value = grow_game_tree({"game": "nim", "position": [2]})
    >>> value, [child.label for child in root.children]
    (2, ['–', '1'])

    Raise TooMuchToDraw beyond MOST_NODES, or an error of `read_position`.
    """
    position = read_position(task)
    return _Grower(position.game).grow(_tidy(position.game, position.parts))


def draw_game_tree(task: dict[str, Any], *, text: Text | None = None, standalone: bool = False) -> str:
    """Draw the tree of a position as an SVG. Positions of value 0, where the player to move loses, are shaded."""
    root, value = grow_game_tree(task)
    text = text or Text("Tree of an impartial game", f"Grundy value of the first position: {value}.")
    return draw_tree(root, text, standalone=standalone)


class _Grower:
    def __init__(self, game: Game[Any]) -> None:
        self._game, self._left = game, MOST_NODES

    def grow(self, parts: Parts) -> tuple[Node, int]:
        self._left -= 1
        if self._left < 0:
            raise TooMuchToDraw(limit=MOST_NODES)
        following: dict[Parts, None] = {}
        for at, part in enumerate(parts):
            for replacement in self._game.moves(part):
                following[_tidy(self._game, (*parts[:at], *replacement, *parts[at + 1 :]))] = None
                if len(following) > self._left:
                    raise TooMuchToDraw(limit=MOST_NODES)
        grown = [self.grow(position) for position in following]
        value = mex({value for _node, value in grown})
        label = " + ".join(map(_part_text, parts)) or "–"
        return Node(label, str(value), "" if value else "zero", tuple(node for node, _value in grown)), value


def _tidy(game: Game[Any], parts: Parts) -> Parts:
    able = (game.canonical(part) for part in parts if any(True for _move in game.moves(part)))
    return tuple(sorted(able, key=lambda part: (str(type(part)), part), reverse=True))


def _part_text(part: Hashable) -> str:
    return " ".join(map(str, part)) if isinstance(part, tuple) else str(part)
