"""Boards in posts: a fenced Markdown block with a level in it, and a description.

    ```board Four boxes, one of them at home
    #####
    #@$.#
    #####
    ```

`blocks C3 words` lifts the box on column C, row 3, and colours the connected blocks round it (solvers.sokoban.blocks).
"""

import re
from contextlib import suppress
from html import escape

from django.utils.translation import gettext as _

from solvers.sokoban.blocks import blocks_around, cut_cells
from solvers.sokoban.drawing.draw import svg
from solvers.sokoban.drawing.outline import outline
from solvers.sokoban.level import Level
from solvers.sokoban.position import Position

MOST_BOARDS = 24
_MOST_CELLS = 2_500
_COLOURS = 5
_KINDS = re.compile(r"(board|blocks)(?:\s+(.*))?\Z", re.DOTALL)
_BOX = re.compile(r"([A-Z]{1,2})([1-9]\d?)(?:\s+(.*))?\Z", re.DOTALL)


class BadBoard(ValueError):
    """The board is refused, with a message for the author."""


def is_board(info: str) -> bool:
    """Return whether the info string after the backticks requests a board."""
    return _KINDS.match(info.strip()) is not None


def draw(info: str, text: str) -> str:
    """Return the board as an HTML figure with its caption. Raise BadBoard."""
    match = _KINDS.match(info.strip())
    if match is None:
        raise BadBoard(_("write board or blocks after the backticks."))
    kind, caption = match[1], " ".join((match[2] or "").split())
    box = _BOX.match(caption) if kind == "blocks" else None
    if kind == "blocks":
        if box is None:
            raise BadBoard(_("write the square of a box after blocks, such as: blocks C3 What the picture shows"))
        caption = box[3] or ""
    if not caption:
        raise BadBoard(_("after the backticks, say what the board shows, for readers who cannot see it."))
    level = _level(text)
    picture = _blocks(level, _cell(level, box[1], int(box[2])), caption) if box else svg(level, title=caption)
    return f'<figure class="drawn">{picture}<figcaption>{escape(caption)}</figcaption></figure>'


def _level(text: str) -> Level:
    lines = text.rstrip("\n").split("\n")
    if len(lines) * max(map(len, lines)) > _MOST_CELLS:
        raise BadBoard(_("this board is too large for a post; at most %(most)s squares.") % {"most": _MOST_CELLS})
    level: Level | None = None
    with suppress(ValueError):
        level = Level.parse("|".join(lines))
    if level is None or not level.reach or len(level.players) != 1:
        raise BadBoard(_("this board cannot be read: it needs walls #, one pusher @ and boxes $."))
    return level


def _cell(level: Level, letters: str, row: int) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    if column > level.width or row > level.height:
        raise BadBoard(_("there is no square %(square)s on this board.") % {"square": f"{letters}{row}"})
    return (row - 1) * level.width + column - 1


def _blocks(level: Level, box: int, caption: str) -> str:
    try:
        blocks = blocks_around(level, Position.start(level), box)
    except ValueError:
        raise BadBoard(_("there is no box on the given square.")) from None
    drawn = svg(level, title=caption, ruler=True, marks=cut_cells(blocks))
    coloured = "".join(
        f'<path class="block b{place % _COLOURS}" d="{outline(block, level.width)}"/>'
        for place, block in enumerate(blocks)
    )
    return drawn.replace("</svg>", f"{coloured}</svg>")
