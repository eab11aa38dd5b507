"""Boards as inline SVG."""

from typing import Protocol

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from solvers.sokoban import Level
from solvers.sokoban.drawing.draw import svg

# A larger board is drawn on its own page only: anybody can propose many of them, and each takes up to 0.2 s.
MOST_CELLS_IN_LISTS = 1_600


def drawing(board: Level, cells: frozenset[int] = frozenset(), *, ruler: bool = False, title: str = "") -> SafeString:
    """Return the board as SVG with *cells* marked: only numbers and class names, and the title escaped by `svg`."""
    return mark_safe(svg(board, marks=cells, ruler=ruler, title=title or gettext("Board")))  # noqa: S308 - svg escapes it


class Drawable(Protocol):
    """A row with a board and its size."""

    width: int
    height: int

    @property
    def board(self) -> Level: ...


def has_thumbnail(row: Drawable) -> bool:
    return row.width * row.height <= MOST_CELLS_IN_LISTS


def thumbnail(row: Drawable) -> SafeString:
    """Return the board of *row* for a list of many; empty for a large one."""
    return drawing(row.board) if has_thumbnail(row) else SafeString("")
