"""A picture for each puzzle on the lab's overview, drawn by the library that solves it."""

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from contest.rendering.boards import drawing
from contest.web.lab.knight import DEFAULT, Crossing
from solvers.games.game_tree import draw_game_tree
from solvers.klotski import Layout, draw
from solvers.logic import Formula, reduce_formula
from solvers.logic.draw import svg as graph_svg
from solvers.sokoban import Level
from solvers.sokoban.making import series
from solvers.sokoban.making.hall import hall
from solvers.sokoban.paths import push_paths
from solvers.sokoban.position import Position
from solvers.tree_drawing import Text

HEAPS = (1, 3, 5, 7)  # the usual heaps of Nim


def solver() -> SafeString:
    return drawing(series.ladder(4).level)


def machine() -> SafeString:
    return drawing(series.ladder(9).level)


def names_language() -> str:
    """Return the language of the names on Klotski's pieces."""
    return "zh" if (get_language() or "").startswith("zh") else "en"


def klotski(layout: Layout) -> SafeString:
    return mark_safe(draw.svg(layout, names=names_language()))  # noqa: S308 - made of numbers and class names


def sokoban(level: Level) -> SafeString:
    """Draw *level* and mark the squares that its first box can be pushed to."""
    start = Position.start(level)
    return drawing(level, frozenset(push_paths(level, start, min(start.boxes)).targets))


def logic(formula: Formula) -> SafeString:
    return mark_safe(graph_svg(formula, reduce_formula(formula)))  # noqa: S308 - made of numbers and class names


def knight() -> SafeString:
    crossing = Crossing(**DEFAULT)
    squares = "".join(
        f'<rect class="{colour}" x="{column}" y="{row}" width="1" height="1"/>'
        for row, column, colour in crossing.cells
    )
    ends = "".join(
        f'<circle class="{name}" cx="{column + 0.5}" cy="{row + 0.5}" r=".28"/>'
        for name, (row, column) in (("start", crossing.start), ("target", crossing.target))
    )
    path = f'<polyline class="path" points="{crossing.line}"/>'
    return _picture("chessboard", crossing.columns, crossing.rows, squares + path + ends)


def games() -> SafeString:
    """Draw heaps of Nim, one per row."""
    stones = "".join(
        f'<circle cx="{at + (max(HEAPS) - heap) / 2 + 0.5:g}" cy="{row + 0.5}" r=".36"/>'
        for row, heap in enumerate(HEAPS)
        for at in range(heap)
    )
    return _picture("heaps", max(HEAPS), len(HEAPS), stones)


def pictures() -> SafeString:
    """Draw the tree of a small game of Nim."""
    tree = draw_game_tree({"game": "nim", "position": [2, 1]}, text=Text(""))
    return mark_safe(tree)  # noqa: S308 - made of numbers and class names


def speed() -> SafeString:
    return drawing(hall())


def _picture(name: str, width: int, height: int, parts: str) -> SafeString:
    whole = f'<svg class="{name}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{parts}</svg>'
    return mark_safe(whole)  # noqa: S308 - made of numbers and class names
