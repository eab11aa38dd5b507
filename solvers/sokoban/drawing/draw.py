"""SVG pictures of levels: for pages, whose style sheet sets the colours, and as standalone files with colours.

Each paint of a kind of sprite is one path, so files stay small and have no seams.
Only presentation attributes are used, so a page whose security policy forbids inline styles can show them.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from xml.sax.saxutils import escape

from solvers.sokoban.drawing.outline import outline
from solvers.sokoban.drawing.sprites import CELL, NAMES, Theme, ground, moved, sprite, things
from solvers.sokoban.level import WALL, Level
from solvers.sokoban.position import Position

# Above this number of cells, what is too small to see is omitted, and walls are a single outline.
_FINE = 1_000
_DETAILS = {"side", "joint", "top", "edge", "lit", "plank", "band"}
_Key = tuple[int, str, int, str, float]  # height, name of the sprite, place in it, paint, opacity


def svg(
    level: Level,
    *,
    title: str = "",
    position: Position | None = None,
    ruler: bool = False,
    marks: Iterable[int] = (),
    theme: Theme | None = None,
    cell: int = 24,
) -> str:
    """Draw *level*, or a *position* of a game on it, as an SVG element, one unit per cell.

    Without a *theme* the SVG is for pages that style the classes board, grid, fault, ruler and those of the paints
    (`sprites`). With a theme it is standalone: it has colours and a size of *cell* pixels per cell. Shapes, not only
    colours, distinguish contents: a box has planks, or a diamond if on a goal; a goal's points stick out behind the
    player. Cells in *marks* get a frame. The *ruler* names columns A, B ... Z, AA and rows 1, 2 ... from the top left.
    Time O(cells).
    >>> svg(Level.parse("#####|#@$.#|#####"))[:72]
    '<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img" viewBox'
    """
    boxes, players = (position.boxes, (position.player,)) if position else (level.boxes, level.players)
    margin = 1 if ruler else 0
    width, height = level.width + margin, level.height + margin
    size = f' width="{width * cell}" height="{height * cell}"' if theme else ""
    is_fine = len(level.cells) <= _FINE
    walls = [at for at, content in enumerate(level.cells) if content & WALL]
    frames = "".join(_frame(level, cell) for cell in sorted(set(marks)))
    parts = [
        '<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img"',
        f' viewBox="{-margin} {-margin} {width} {height}"{size}>',
        f"<title>{escape(title)}</title>" if title else "",
        _path("page", f"M{-margin} {-margin}h{width}v{height}h{-width}z", theme) if theme else "",
        _path("floor", outline(level.reach, level.width), theme),
        f'<path class="grid"{_lines(theme, ".03", ".1")} d="{_grid(level)}"/>' if is_fine else "",
        "" if is_fine else _path("wall", outline(walls, level.width), theme),
        f'<g transform="scale({1 / CELL:g})">',
        *_sprites(level, {*boxes}, {*players}, theme, is_fine=is_fine),
        "</g>",
        f'<path class="fault"{_lines(theme, ".1")} d="{frames}"/>' if frames else "",
        _ruler(level, theme) if ruler else "",
        "</svg>",
    ]
    return "".join(parts)


def _sprites(
    level: Level, boxes: Collection[int], players: Collection[int], theme: Theme | None, *, is_fine: bool
) -> Iterator[str]:
    """Yield the layers of each kind of sprite, those of all its cells joined in one path; walls lie lowest."""
    skin = theme.skin if theme else "classic"
    joined: dict[_Key, list[str]] = {}
    for cell in sorted(range(len(level.cells)), key=lambda cell: not level.cells[cell] & WALL):
        row, column = divmod(cell, level.width)
        for name in things(level, cell, boxes, players) or ground(level, cell):
            if name == "floor" or (level.cells[cell] & WALL and not is_fine):
                continue  # drawn as outlines
            for key, path in _keyed(name, skin):
                if is_fine or key[-2] not in _DETAILS:
                    joined.setdefault(key, []).append(moved(path, column * CELL, row * CELL))
    for key in sorted(joined, key=lambda key: (key[0], key[2] * (key[0] == 1))):
        *_, paint, opacity = key
        yield _path(paint, "".join(joined[key]), theme, opacity)


@cache
def _keyed(name: str, skin: str) -> tuple[tuple[_Key, str], ...]:
    """Return the layers of a sprite, each with what it is joined and ordered by; walls are joined by their paints."""
    if name.startswith("wall"):
        paints = [paint for paint, *_ in sprite("wall0", skin=skin)]
        return tuple(((1, "", paints.index(paint), paint, seen), path) for paint, path, seen in sprite(name, skin=skin))
    height = 2 * (name[:4] != "bare")
    layers = enumerate(sprite(name, skin=skin))
    return tuple(((height, name, place, paint, seen), path) for place, (paint, path, seen) in layers)


def symbols() -> str:
    """Return an invisible SVG with each sprite as a symbol, `sprite-0` and so on, for scripts that draw boards."""
    parts = (
        f'<symbol id="sprite-{number}" viewBox="0 0 {CELL} {CELL}">{_layers(name)}</symbol>'
        for number, name in enumerate(NAMES)
    )
    return f'<svg class="board" xmlns="http://www.w3.org/2000/svg" hidden>{"".join(parts)}</svg>'


def icon(*names: str) -> str:
    """Draw the sprites *names* over each other as an SVG for buttons, with the classes of boards."""
    layers = "".join(map(_layers, names))
    return f'<svg class="board swatch" viewBox="0 0 {CELL} {CELL}" aria-hidden="true">{layers}</svg>'


def _layers(name: str) -> str:
    return "".join(_path(paint, path, None, opacity) for paint, path, opacity in sprite(name))


def _path(paint: str, path: str, theme: Theme | None, opacity: float = 1) -> str:
    colour = f' fill="{theme.paints[paint]}"' if theme else ""
    seen = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<path class="{paint}"{colour}{seen} d="{path}"/>'


def _lines(theme: Theme | None, width: str, opacity: str = "") -> str:
    colour = f' stroke="{theme.paints["edge"]}"' if theme else ""
    seen = f' stroke-opacity="{opacity}"' if opacity else ""
    return f' fill="none"{colour} stroke-width="{width}"{seen}'


def _frame(level: Level, cell: int) -> str:
    row, column = divmod(cell, level.width)
    return f"M{column + 0.05:g} {row + 0.05:g}h.9v.9h-.9z"


def _ruler(level: Level, theme: Theme | None) -> str:
    columns = (f'<text x="{at + 0.5:g}" y="-.25">{column_name(at)}</text>' for at in range(level.width))
    rows = (f'<text x="-.5" y="{at + 0.63:g}">{at + 1}</text>' for at in range(level.height))
    colour = f' fill="{theme.paints["edge"]}" font-family="sans-serif"' if theme else ""
    return f'<g class="ruler" font-size=".36" text-anchor="middle"{colour}>{"".join([*columns, *rows])}</g>'


def column_name(column: int) -> str:
    """Return the letters of a ruler column, counted from 0.

    >>> [column_name(at) for at in (0, 25, 26, 199)]
    ['A', 'Z', 'AA', 'GR']
    """
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + chr(ord("A") + letter)


def square_name(level: Level, cell: int) -> str:
    """Return the ruler's name of a cell, such as D4."""
    return f"{column_name(cell % level.width)}{cell // level.width + 1}"


def find_square(level: Level, name: str) -> int | None:
    """Return the cell with this ruler name, or None if there is none.

    >>> level = Level.parse("#####|#@$.#|#####")
    >>> find_square(level, "c2"), find_square(level, "F2")
    (7, None)
    """
    columns = {column_name(column): column for column in range(level.width)}
    match = re.fullmatch(r"([A-Z]+)([0-9]{1,3})", name.upper())
    if not match or match[1] not in columns or not 1 <= int(match[2]) <= level.height:
        return None
    return (int(match[2]) - 1) * level.width + columns[match[1]]


def _grid(level: Level) -> str:
    """Return the path of the lines between floor cells."""
    reach, width = level.reach, level.width
    above = _runs([at for at in sorted(reach) if at - width in reach], 1, width)
    columns = [row * width + column for column in range(width) for row in range(level.height)]
    beside = _runs([at for at in columns if at in reach and at % width and at - 1 in reach], width, width)
    return "".join(
        [
            *(f"M{at % width} {at // width}h{length}" for at, length in above),
            *(f"M{at % width} {at // width}v{length}" for at, length in beside),
        ]
    )


def _runs(cells: list[int], step: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield (start, length) of each run of consecutive cells in one row or column."""
    start, length = -1, 0
    for cell in [*cells, -1]:
        if cell == start + length * step and (step > 1 or cell % width):
            length += 1
            continue
        if length:
            yield start, length
        start, length = cell, 1
