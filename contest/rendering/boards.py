"""Boards as inline SVG."""

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from solvers.sokoban import Level
from solvers.sokoban.drawing.draw import svg


def drawing(board: Level, cells: frozenset[int] = frozenset(), *, ruler: bool = False, title: str = "") -> SafeString:
    """Return the board as SVG with *cells* marked: only numbers and class names, and the title escaped by `svg`."""
    return mark_safe(svg(board, marks=cells, ruler=ruler, title=title or gettext("Board")))  # noqa: S308 - svg escapes it
