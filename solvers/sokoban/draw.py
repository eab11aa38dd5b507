"""Pictures of levels as SVG: for pages, whose style sheet has the colours, and as files that carry their own.

Walls, goals and floor are merged into one path each, so that a 50x50 board is under 2 KB compressed. Everything is
said in presentation attributes: a page whose security policy forbids inline styles can show it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from solvers.sokoban.level import WALL, Level
from solvers.sokoban.position import Position


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, each `#rrggbb`. *ink* is for outlines, ruler and title."""

    background: str
    floor: str
    wall: str
    goal: str
    box: str
    home: str
    player: str
    ink: str


LIGHT = Theme("#ffffff", "#f1ece1", "#6b5b4d", "#c2410c", "#d9a441", "#7c2d12", "#1d4ed8", "#1f2328")
DARK = Theme("#14161a", "#2a2e35", "#7d8590", "#fb923c", "#b7862c", "#fff3c4", "#60a5fa", "#e6edf3")
PRINT = Theme("#ffffff", "#ffffff", "#808080", "#404040", "#d0d0d0", "#202020", "#000000", "#000000")
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}

_STROKED = frozenset({"box", "player"})


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
    """Draw *level*, or a *position* of a game on it, as an SVG element, one unit a cell.

    Without a *theme* it is for pages that style the classes board, floor, wall, goal, box, player, home and ruler.
    With one it stands alone: colours and size, *cell* pixels a cell, are in the text. What is on a goal carries a
    mark, so that it is told apart by its shape and not by colour. Cells in *marks* get a frame, of the class fault.
    The *ruler* names columns A, B ... Z, AA and rows 1, 2 ... from the top left. Time O(cells).

    >>> svg(Level.parse("#####|#@$.#|#####"))[:72]
    '<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img" viewBox'
    """
    boxes, players = (position.boxes, (position.player,)) if position else (level.boxes, level.players)
    margin = 1 if ruler else 0
    width, height = level.width + margin, level.height + margin
    size = f' width="{width * cell}" height="{height * cell}"' if theme else ""
    walls = (at for at, content in enumerate(level.cells) if content & WALL)
    paths = {
        "floor": _runs(level, sorted(level.reach)),
        "wall": _runs(level, walls),
        "goal": _diamonds(level, level.goals),
        "box": _squares(level, boxes, 0.12),
        "player": _discs(level, players),
        "home": _diamonds(level, {*boxes} & {*level.goals}),
    }
    mark = _diamonds(level, {*players} & {*level.goals})
    frames = "".join(_frame(level, cell) for cell in sorted(set(marks)))
    parts = [
        '<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img"',
        f' viewBox="{-margin} {-margin} {width} {height}"{size}>',
        f"<title>{escape(title)}</title>" if title else "",
        f'<path d="M{-margin} {-margin}h{width}v{height}h{-width}z" fill="{theme.background}"/>' if theme else "",
        *(f'<path class="{name}"{_colours(name, theme)} d="{path}"/>' for name, path in paths.items()),
        f'<path class="floor"{_colours("floor", theme)} d="{mark}"/>' if mark else "",
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
    stroke = f' stroke="{theme.ink}" stroke-width=".06"' if name in _STROKED else ""
    return f' fill="{getattr(theme, name)}"{stroke}'


def _ruler(level: Level, theme: Theme | None) -> str:
    columns = (f'<text x="{at + 0.5:g}" y="-.3">{column_name(at)}</text>' for at in range(level.width))
    rows = (f'<text x="-.5" y="{at + 0.66:g}">{at + 1}</text>' for at in range(level.height))
    colour = f' fill="{theme.ink}" font-family="sans-serif"' if theme else ""
    return f'<g class="ruler" font-size=".45" text-anchor="middle"{colour}>{"".join([*columns, *rows])}</g>'


def column_name(column: int) -> str:
    """The letters of a column of the ruler, counted from 0.

    >>> [column_name(at) for at in (0, 25, 26, 199)]
    ['A', 'Z', 'AA', 'GR']
    """
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + chr(ord("A") + letter)


def _runs(level: Level, cells: Iterable[int]) -> str:
    """Horizontal runs of cells as rectangles."""
    path, start, end = [], -2, -2
    for cell in [*cells, -1]:
        if cell == end and cell % level.width:
            end += 1
            continue
        if start >= 0:
            row, column = divmod(start, level.width)
            path.append(f"M{column} {row}h{end - start}v1h-{end - start}z")
        start, end = cell, cell + 1
    return "".join(path)


def _squares(level: Level, cells: Iterable[int], margin: float) -> str:
    side = round(1 - 2 * margin, 2)
    return "".join(
        f"M{cell % level.width + margin:g} {cell // level.width + margin:g}h{side:g}v{side:g}h-{side:g}z"
        for cell in cells
    )


def _diamonds(level: Level, cells: Iterable[int]) -> str:
    return "".join(
        f"M{cell % level.width + 0.5:g} {cell // level.width + 0.28:g}l.22 .22-.22 .22-.22-.22z"
        for cell in sorted(cells)
    )


def _discs(level: Level, cells: Iterable[int]) -> str:
    return "".join(
        f"M{cell % level.width + 0.17:g} {cell // level.width + 0.5:g}a.33 .33 0 1 0 .66 0a.33 .33 0 1 0-.66 0z"
        for cell in cells
    )
