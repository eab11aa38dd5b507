"""Pictures of levels: SVG whose colours come from the page's style sheet.

Walls, goals and floor are merged into one path each, so that a 50x50 board is under 2 KB compressed.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from solvers.sokoban.level import WALL, Level


def svg(level: Level, *, title: str = "") -> str:
    """Draw *level* as an SVG element, one unit a cell, for pages that style the classes board, wall, floor, goal, box, player.

    A box on a goal is told apart by shape: it carries an inner mark. Time O(cells).
    """
    walls = (cell for cell, content in enumerate(level.cells) if content & WALL)
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {level.width} {level.height}">',
        f"<title>{escape(title)}</title>" if title else "",
        f'<path class="floor" d="{_runs(level, sorted(level.reach))}"/>',
        f'<path class="wall" d="{_runs(level, walls)}"/>',
        f'<path class="goal" d="{_diamonds(level, level.goals)}"/>',
        f'<path class="box" d="{_squares(level, level.boxes, 0.12)}"/>',
        f'<path class="home" d="{_diamonds(level, set(level.boxes) & set(level.goals))}"/>',
        f'<path class="player" d="{_discs(level, level.players)}"/>',
        "</svg>",
    ]
    return "".join(parts)


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
