"""Link preview images: text beside a board, drawn from plain values (docs/reference/sharing.md).

Letters that no font has are left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from math import ceil

from PIL import Image, ImageDraw

from contest.rendering import app_icons
from solvers.sokoban import Level
from solvers.sokoban.drawing import fonts, pictures
from solvers.sokoban.drawing.fonts import draw_text, text_width
from solvers.sokoban.drawing.sprites import Theme

# Raise this by hand when cards look different.
DRAWING_VERSION = 5
CARD = (1200, 630)
SQUARE = (300, 300)
FORUM = (400, 300)
LONGEST_WORDS = 120

# The light colours of docs/reference/identity.md, as cards appear on other sites' pages.
_PAPER, _RAISED, _LINE, _INK, _SOFT, _ACCENT, _GOLD = (
    "#faf7f0", "#fffdf9", "#e1dacb", "#1d1c1a", "#5f5b53", "#a3321c", "#f2bd4c"
)  # fmt: skip
_COLOURS = 64
_LARGEST_CELL = 64
_WIDE = re.compile(r"[⺀-￯]|[^\s⺀-￯]+\s*|\s+")  # line breaks are allowed around each wide letter and after a word


@dataclass(frozen=True)
class Card:
    """Content of a card: *over* the title, the *title*, *facts* below it, and a *board* beside it.

    *site* is the name of the site, *mark* its own mark, and *accent* its colour.
    """

    title: str
    over: str = ""
    facts: tuple[str, ...] = ()
    board: str = ""
    site: str = "擂台 Leitai"
    mark: app_icons.Own | None = None
    accent: str = _ACCENT


def draw_wide(card: Card) -> bytes:
    """Return the card as most sites show it beside a link, 1200 × 630."""
    image = Image.new("RGB", CARD, _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 12, CARD[1]), fill=card.accent)
    left, right = 64, 1136
    if card.board:
        draw.rounded_rectangle((640, 48, 1152, 582), 24, fill=_RAISED, outline=_LINE, width=2)
        _paste_board(image, card.board, (664, 72, 1128, 558), _RAISED)
        right = 604
    else:
        _paste_mark(image, card.mark, 836, 165, 300)
        right = 790
    width = right - left
    _paste_mark(image, card.mark, left, 56, 56)
    draw_text(draw, (left + 74, 84), _shorten(card.site, 34, width - 74), 34, fill=card.accent, anchor="lm")
    top = 150
    draw_text(draw, (left, top), _shorten(drawable_text(card.over), 30, width), 30, fill=_SOFT)
    top += 52
    size, lines = _fit(card.title, (64, 54, 46, 38), width, most=3)
    for line in lines:
        draw_text(draw, (left, top), line, size, fill=_INK, stroke=1)
        top += size * 5 // 4
    top = max(top + 24, 566 - 46 * len(card.facts))
    for fact in card.facts:
        if line := drawable_text(fact):
            draw_text(draw, (left, top), _shorten(line, 32, width), 32, fill=_INK)
            top += 46
    return _save(image)


def draw_square(card: Card) -> bytes:
    """Return the card as chat programs show it, 300 × 300."""
    image = Image.new("RGB", SQUARE, _PAPER)
    draw = ImageDraw.Draw(image)
    below = drawable_text(card.title)
    if card.board:
        _paste_board(image, card.board, (14, 14, 286, 250 if below else 286), _PAPER)
    else:
        _paste_mark(image, card.mark, 86, 60, 128)
    draw_text(draw, (150, 274), _shorten(below, 24, 276), 24, fill=_INK, anchor="mm")
    return _save(image)


def draw_board(text: str) -> bytes:
    """Return a board alone, 400 × 300, for forum posts."""
    image = Image.new("RGB", FORUM, _RAISED)
    _paste_board(image, text, (8, 8, 392, 292), _RAISED)
    return _save(image)


def drawable_text(text: str) -> str:
    """Return the part of *text* that has room on a card and that some font has.

    >>> drawable_text("Ada")
    'Ada'
    """
    return fonts.drawable(" ".join(text.split())[:LONGEST_WORDS])


def _fit(text: str, sizes: tuple[int, ...], width: int, *, most: int) -> tuple[int, list[str]]:
    """Return the largest of *sizes* at which the text fits in *most* lines; at the smallest it is cut."""
    text = drawable_text(text)
    for size in sizes:
        lines = list(_lines(text, size, width))
        if len(lines) <= most and all(text_width(line, size) <= width for line in lines):
            return size, lines
    lines = [*lines[: most - 1], "".join(lines[most - 1 :])]
    return sizes[-1], [_shorten(line, sizes[-1], width) for line in lines]


def _lines(text: str, size: int, width: int) -> Iterator[str]:
    line = ""
    for part in _WIDE.findall(text):
        if line and text_width((line + part).rstrip(), size) > width:
            yield line.rstrip()
            line = ""
        line += part.lstrip() if not line else part
    if line.strip():
        yield line.rstrip()


def _shorten(text: str, size: int, width: int) -> str:
    shown = text
    while text and text_width(shown, size) > width:
        text = text[:-1]
        shown = f"{text.rstrip()}..."
    return shown


def _paste_board(image: Image.Image, text: str, area: tuple[int, int, int, int], behind: str) -> None:
    """Draw the board twice as large and scale it down, which smooths its circles and diamonds."""
    left, top, right, bottom = area
    level = Level.parse(text)
    cell = min((right - left) / level.width, (bottom - top) / level.height, _LARGEST_CELL)
    drawn = pictures.png(level, pictures.Style(cell=2 * ceil(cell), theme=Theme("classic", "day", behind)))
    size = max(1, round(cell * level.width)), max(1, round(cell * level.height))
    with Image.open(BytesIO(drawn)) as large:
        small = large.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    image.paste(small, ((left + right - size[0]) // 2, (top + bottom - size[1]) // 2))


def _paste_mark(image: Image.Image, mark: app_icons.Own | None, left: int, top: int, side: int) -> None:
    """Draw the site's mark; without one of its own, the software's (static/contest/mark.svg): a box on its goal."""
    if mark:
        with Image.open(BytesIO(app_icons.draw(side, own=mark))) as own:
            image.paste(own, (left, top), own)
        return
    draw = ImageDraw.Draw(image)
    unit = side / 32
    draw.rounded_rectangle((left, top, left + side, top + side), int(6 * unit), fill=_ACCENT)
    inner = (left + 7 * unit, top + 7 * unit, left + 25 * unit, top + 25 * unit)
    draw.rectangle(inner, outline="#fff4e2", width=max(1, round(2.6 * unit)))
    middle = (left + 16 * unit, top + 16 * unit)
    reach = 5.6 * unit
    draw.polygon([(middle[0] + x * reach, middle[1] + y * reach) for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))], _GOLD)


def _save(image: Image.Image) -> bytes:
    """Return a PNG with as many colours as smooth letters need: a third of the size of full colour."""
    file = BytesIO()
    # Small things keep their colours with this method, and large areas with the means.
    few = image.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()
