"""The sprites that every drawing of a board consists of, and their colours: `skins/skins.json`.

The site's player reads the same file (`contest/static/contest/player/view/skin.js`), so a board looks alike on pages,
in pictures and in animations. A sprite is a list of filled paths in named paints, from the lowest up, in sixteenths of
a cell. Paths consist of `M` (absolute) and `h v l c q z` (relative), so adding to each `M` moves a path.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from solvers.sokoban.level import GOAL, WALL, Level

_TABLE = json.loads(Path(__file__).with_name("skins").joinpath("skins.json").read_text("utf-8"))
CELL: int = _TABLE["cell"]
SMALL_BELOW: int = _TABLE["smallBelow"]  # pixels per cell
SKINS = tuple(_TABLE["skins"])
NAMES = tuple(_TABLE["skins"]["classic"]["sprites"])
_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_CORNERS = {"NE": (1, -1), "SE": (1, 1), "SW": (-1, 1), "NW": (-1, -1)}

Layer = tuple[str, str, float]  # paint, path, opacity


@dataclass(frozen=True)
class Theme:
    """A skin by day or by night: a `#rrggbb` colour for each paint. *page* replaces the colour outside the walls."""

    skin: str
    time: str
    page: str = ""
    paints: dict[str, str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        paints = dict(_TABLE["skins"][self.skin][self.time])
        object.__setattr__(self, "paints", paints | ({"page": self.page} if self.page else {}))


LIGHT, DARK, PRINT = Theme("classic", "day"), Theme("classic", "night"), Theme("eink", "day")
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


@cache
def sprite(name: str, *, skin: str = "classic", is_small: bool = False) -> tuple[Layer, ...]:
    """Return the layers of a sprite; below eight pixels per cell a small one has only a square."""
    skins = _TABLE["skins"]
    layers = skins[skin]["sprites"].get(name, skins["classic"]["sprites"][name])
    if is_small:
        layers = _TABLE["small"].get(name, layers)
    return tuple((paint, path, *opacity, 1.0)[:3] for paint, path, *opacity in layers)


def ground(level: Level, cell: int) -> tuple[str, ...]:
    """Return the sprites of a cell without boxes and player: floor and goal, or bare corners, wall and inner ones."""
    if level.cells[cell] & WALL:
        return _wall(*_surroundings(level, cell))
    is_goal = bool(level.cells[cell] & GOAL)
    return ("floor",) * (is_goal or cell in level.reach) + ("goal",) * is_goal


def _surroundings(level: Level, cell: int) -> tuple[int, int]:
    """Return which neighbours in _SIDES and _CORNERS are walls, and which the player can reach, as bits."""
    row, column = divmod(cell, level.width)
    walls = reached = 0
    for bit, (right, down) in enumerate((*_SIDES, *_CORNERS.values())):
        if 0 <= column + right < level.width and 0 <= row + down < level.height:
            at = cell + down * level.width + right
            walls |= bool(level.cells[at] & WALL) << bit
            reached |= (at in level.reach) << bit
    return walls, reached


@cache
def _wall(walls: int, reached: int) -> tuple[str, ...]:
    """Return the sprites of a wall with such `_surroundings`."""
    bare, inner = [], []
    for bit, (name, (right, down)) in enumerate(_CORNERS.items(), start=len(_SIDES)):
        beside, above = (bool(walls & 1 << _SIDES.index(side)) for side in ((right, 0), (0, down)))
        if not (beside or above) and reached & 1 << bit:
            bare.append(f"bare{name}")
        if beside and above and not walls & 1 << bit:
            inner.append(f"in{name}")
    return (*bare, f"wall{walls & 15}", *inner)


def things(level: Level, cell: int, boxes: Collection[int], players: Collection[int], facing: str = "D") -> list[str]:
    """Return the sprite of a box or player on *cell*. A player looks up, right, down or left: *facing* U, R, D or L."""
    is_goal = bool(level.cells[cell] & GOAL)
    return [("box", "home")[is_goal]] * (cell in boxes) + [f"man{'G' * is_goal}{facing}"] * (cell in players)


def moved(path: str, right: int, down: int) -> str:
    """Return *path*, moved by so many sixteenths.

    >>> moved("M2 5h12v1h-12z", 16, 32)
    'M18 37h12v1h-12z'
    """
    return "".join([f"M{x + right:g} {y + down:g}{rest}" for x, y, rest in _pieces(path)])


@cache
def _pieces(path: str) -> tuple[tuple[float, float, str], ...]:
    """Return the pieces of *path*, each from where it starts."""
    pieces = (re.fullmatch(r"(\S+?) ([\d.]+)(.*)", piece) for piece in path.split("M")[1:])
    return tuple((float(piece[1]), float(piece[2]), piece[3]) for piece in pieces if piece)
