"""Boards as pictures within a page."""

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from solvers.sokoban import Level
from solvers.sokoban.drawing.draw import svg


def drawing(board: Level, cells: frozenset[int] = frozenset(), *, ruler: bool = False, title: str = "") -> SafeString:
    """The board as SVG with *cells* marked: made of numbers and class names; `svg` escapes the title."""
    return mark_safe(svg(board, marks=cells, ruler=ruler, title=title or gettext("Board")))  # noqa: S308 - svg escapes it
