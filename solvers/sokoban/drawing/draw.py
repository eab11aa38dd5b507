"""SVG pictures of levels: for pages, whose style sheet sets the colours, and as standalone files with colours.

Each kind of object is one path, with walls and floor drawn by their outlines, so files stay small and have no seams.
Only presentation attributes are used, so a page whose security policy forbids inline styles can show them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from solvers.sokoban.drawing.outline import loops, outline
from solvers.sokoban.level import WALL, Level
from solvers.sokoban.position import Position


@dataclass(frozen=True)
class Theme:
    """Colours of a picture, each `#rrggbb`. *ink* is for outlines, ruler and title."""

    background: str
    floor: str
    wall: str
    goal: str
    box: str
    home: str
    player: str
    ink: str


LIGHT = Theme("#fffdf9", "#f5eddc", "#7d6753", "#b5341b", "#e3ac3e", "#6b2412", "#1d5a9e", "#2b2119")
DARK = Theme("#141519", "#2a2b2f", "#807a73", "#ff8d62", "#c7912d", "#fff0c4", "#74b3ff", "#e9e6df")
PRINT = Theme("#ffffff", "#ffffff", "#808080", "#404040", "#d0d0d0", "#202020", "#000000", "#000000")
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}

# Fill and stroke of each class: theme colours, line width, line opacity.
_FILLS = {
    "floor": "floor",
    "wall": "wall",
    "goal": "goal",
    "box": "box",
    "home": "home",
    "gem": "box",
    "player": "player",
    "face": "floor",
}
_LINES = {
    "floor": ("floor", ".4", ""),
    "grid": ("ink", ".03", ".12"),
    "shade": ("ink", ".14", ".45"),
    "box": ("ink", ".06", ""),
    "plank": ("ink", ".05", ".55"),
    "home": ("box", ".08", ""),
    "player": ("ink", ".06", ""),
}
_CORNER = 0.2
# Above this number of cells, details too small to see are omitted: round corners, lower sides, planks.
_FINE = 1_000


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

    Without a *theme* the SVG is for pages that style the classes board, floor, grid, wall, shade, goal, box, plank,
    home, gem, player, face, fault and ruler. With a theme it is standalone: it has colours and a size of *cell* pixels
    per cell. Shapes, not only colours, distinguish contents: a box has planks, or a diamond if on a goal; a goal's
    points stick out behind the player. Cells in *marks* get a frame. The *ruler* names columns A, B ... Z, AA and rows
    1, 2 ... from the top left, and draws grid lines. Time O(cells).
    >>> svg(Level.parse("#####|#@$.#|#####"))[:72]
    '<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img" viewBox'
    """
    boxes, players = (position.boxes, (position.player,)) if position else (level.boxes, level.players)
    margin = 1 if ruler else 0
    width, height = level.width + margin, level.height + margin
    size = f' width="{width * cell}" height="{height * cell}"' if theme else ""
    walls = [at for at, content in enumerate(level.cells) if content & WALL]
    is_fine = len(level.cells) <= _FINE
    goals, home, men = {*level.goals}, {*boxes} & {*level.goals}, {*players}
    away = [at for at in boxes if at not in home]
    paths = {
        "floor": outline(level.reach, level.width),
        "grid": _grid(level) if ruler and is_fine else "",
        "wall": outline(walls, level.width, _CORNER if is_fine else 0),
        "shade": _lower_sides(level, walls) if is_fine else "",
        "goal": _diamonds(level, goals - home - men, hole=is_fine) + _points(level, men & goals),
        "box": _squares(level, away),
        "plank": _planks(level, away) if is_fine else "",
        "home": _squares(level, sorted(home)),
        "gem": _diamonds(level, home),
        "player": _discs(level, players),
        "face": _faces(level, men),
    }
    frames = "".join(_frame(level, cell) for cell in sorted(set(marks)))
    parts = [
        '<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img"',
        f' viewBox="{-margin} {-margin} {width} {height}"{size}>',
        f"<title>{escape(title)}</title>" if title else "",
        f'<path d="M{-margin} {-margin}h{width}v{height}h{-width}z" fill="{theme.background}"/>' if theme else "",
        *(f'<path class="{name}"{_colours(name, theme)} d="{path}"/>' for name, path in paths.items() if path),
        f'<path class="fault" fill="none" stroke-width=".1"{_stroke(theme)} d="{frames}"/>' if frames else "",
        _ruler(level, theme) if ruler else "",
        "</svg>",
    ]
    return "".join(parts)


def _frame(level: Level, cell: int) -> str:
    row, column = divmod(cell, level.width)
    return f"M{column + 0.05:g} {row + 0.05:g}h.9v.9h-.9z"


def _stroke(theme: Theme | None) -> str:
    return f' stroke="{theme.ink}"' if theme else ""


def _colours(name: str, theme: Theme | None) -> str:
    if theme is None:
        return ""
    fill = f' fill="{getattr(theme, _FILLS[name])}"' if name in _FILLS else ' fill="none"'
    if name not in _LINES:
        return fill
    colour, width, opacity = _LINES[name]
    line = f' stroke="{getattr(theme, colour)}" stroke-width="{width}"'
    return fill + line + (f' stroke-opacity="{opacity}"' if opacity else ' stroke-linejoin="round"' * (name != "floor"))


def _ruler(level: Level, theme: Theme | None) -> str:
    columns = (f'<text x="{at + 0.5:g}" y="-.25">{column_name(at)}</text>' for at in range(level.width))
    rows = (f'<text x="-.5" y="{at + 0.63:g}">{at + 1}</text>' for at in range(level.height))
    colour = f' fill="{theme.ink}" font-family="sans-serif"' if theme else ""
    return f'<g class="ruler" font-size=".36" text-anchor="middle"{colour}>{"".join([*columns, *rows])}</g>'


def column_name(column: int) -> str:
    """Return the letters of a ruler column, counted from 0.

    >>> [column_name(at) for at in (0, 25, 26, 199)]
    ['A', 'Z', 'AA', 'GR']
    """
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + chr(ord("A") + letter)


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


def _lower_sides(level: Level, walls: list[int]) -> str:
    """Return lines along the lower side of every wall, inside it and short of its round corners."""
    path = []
    for line in loops(walls, level.width):
        for (column, row, direction), (end, *_) in zip(line, [*line[1:], line[0]], strict=True):
            if end < column and direction % 2 == 0:
                path.append(f"M{column - 0.1:g} {row - 0.07:g}h{end - column + 0.2:g}")
    return "".join(path)


def _squares(level: Level, cells: Iterable[int]) -> str:
    return "".join(f"M{cell % level.width + 0.13:g} {cell // level.width + 0.13:g}h.74v.74h-.74z" for cell in cells)


def _planks(level: Level, cells: Iterable[int]) -> str:
    return "".join(f"M{cell % level.width + 0.16:g} {cell // level.width + 0.37:g}h.68m-.68.26h.68" for cell in cells)


def _diamonds(level: Level, cells: Iterable[int], *, hole: bool = False) -> str:
    inside = "m0 .13l-.11.11.11.11.11-.11z" if hole else ""
    return "".join(
        f"M{cell % level.width + 0.5:g} {cell // level.width + 0.26:g}l.24.24-.24.24-.24-.24z{inside}"
        for cell in sorted(cells)
    )


def _discs(level: Level, cells: Iterable[int]) -> str:
    return "".join(
        f"M{cell % level.width + 0.16:g} {cell // level.width + 0.5:g}a.34.34 0 1 0 .68 0a.34.34 0 1 0-.68 0z"
        for cell in cells
    )


def _points(level: Level, cells: Iterable[int]) -> str:
    return "".join(
        f"M{cell % level.width + 0.5:g} {cell // level.width + 0.01:g}l.49.49-.49.49-.49-.49z" for cell in sorted(cells)
    )


def _faces(level: Level, cells: Iterable[int]) -> str:
    """Return the path of a headband with two eyes below it."""
    eye = "a.065.065 0 1 0 .13 0a.065.065 0 1 0-.13 0z"
    face = f"q.3-.1.6 0v.11q-.3-.09-.6 0zm.11.28{eye}m.25 0{eye}"
    return "".join(f"M{cell % level.width + 0.2:g} {cell // level.width + 0.32:g}{face}" for cell in sorted(cells))
