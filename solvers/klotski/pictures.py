"""Pictures of layouts and animations of solutions as PNG and GIF, in nine colours."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from solvers.klotski.draw import LIGHT, Theme
from solvers.klotski.layout import COLUMNS, ROWS, Kind, Layout, Piece
from solvers.klotski.people import lines_of, people
from solvers.sokoban.drawing.fonts import draw_text, drawable

MIN_DELAY = 20  # milliseconds; browsers play a GIF with a shorter delay much slower
LAST_DELAY = 2_000
MAX_FRAMES = 3_000
_TITLE_HEIGHT, _TITLE_SIZE = 30, 18

# In the order of Theme's fields.
_BACKGROUND, _FLOOR, _CAO, _HORIZONTAL, _VERTICAL, _SOLDIER, _INK, _CAO_NAME, _NAME = range(9)
_COLOURS = {Kind.CAO: _CAO, Kind.HORIZONTAL: _HORIZONTAL, Kind.VERTICAL: _VERTICAL, Kind.SOLDIER: _SOLDIER}

Progress = Callable[[int], object]


@dataclass(frozen=True)
class Style:
    """Style of a picture: *cell* pixels per cell, a *title* above.

    *names* is the language of the names on the pieces (`people`), "zh" or "en"; *is_numbered* tells the soldiers apart.

    *font* is a font file, instead of the system fonts. Letters that no font has are omitted.
    """

    cell: int = 48
    title: str = ""
    names: str = ""
    is_numbered: bool = False
    theme: Theme = LIGHT
    font: Path | None = None


PLAIN = Style()


def png(layout: Layout, style: Style = PLAIN) -> bytes:
    """Draw *layout* as PNG."""
    file = BytesIO()
    _draw(layout, style).save(file, "PNG", optimize=True, bits=4)
    return file.getvalue()


def gif(
    layouts: Iterable[Layout], style: Style = PLAIN, *, delay: int = 400, progress: Progress = lambda _: None
) -> bytes:
    """Draw *layouts*, for example from `Solution.layouts`, as a looping GIF.

    Each frame is shown for *delay* milliseconds, at least 20, the last for at least two seconds. Frames beyond 3,000
    are omitted. *progress* is called with the number of frames done.
    """

    def frames() -> Iterator[Image.Image]:
        for count, layout in enumerate(layouts, 1):
            if count > MAX_FRAMES:
                return
            yield _draw(layout, style)
            progress(count)

    first, *others = frames()
    delay = max(MIN_DELAY, delay)
    durations = [delay] * len(others) + [max(delay, LAST_DELAY)]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0)
    return file.getvalue()


def _draw(layout: Layout, style: Style) -> Image.Image:
    edge = max(2, style.cell // 6)
    title = drawable(style.title, path=style.font)
    top = edge + (_TITLE_HEIGHT if title else 0)
    image = Image.new("P", (COLUMNS * style.cell + 2 * edge, ROWS * style.cell + edge + top), _BACKGROUND)
    image.putpalette(b"".join(bytes.fromhex(colour[1:]) for colour in astuple(style.theme)))
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"  # no anti-aliasing: the palette has no colours for it
    bottom, right = top + ROWS * style.cell, edge + COLUMNS * style.cell
    draw.rectangle((edge - 2, top - 2, right + 1, bottom + 1), fill=_FLOOR, outline=_INK, width=2)
    draw.rectangle((edge + style.cell, bottom, right - style.cell, bottom + 1), fill=_BACKGROUND)  # the exit
    middle = edge, _TITLE_HEIGHT // 2 + 2
    draw_text(draw, middle, title, _TITLE_SIZE, fill=_INK, anchor="lm", path=style.font)
    labels = people(layout, style.names, is_numbered=style.is_numbered) if style.names else ("",) * len(layout.pieces)
    for piece, name in zip(layout.pieces, labels, strict=True):
        _draw_piece(draw, piece, style, edge, top)
        if name:
            _write_name(draw, piece, name, style, (edge, top))
    return image


def _draw_piece(draw: ImageDraw.ImageDraw, piece: Piece, style: Style, left: int, top: int) -> None:
    row, column = divmod(piece.cell, COLUMNS)
    gap = max(1, style.cell // 20)
    x, y = left + column * style.cell, top + row * style.cell
    width, height = piece.kind.columns * style.cell, piece.kind.rows * style.cell
    box = (x + gap, y + gap, x + width - gap - 1, y + height - gap - 1)
    draw.rounded_rectangle(box, max(1, style.cell // 8), fill=_COLOURS[piece.kind], outline=_INK)


def _write_name(draw: ImageDraw.ImageDraw, piece: Piece, name: str, style: Style, corner: tuple[int, int]) -> None:
    lines, cells = lines_of(name, piece.kind)
    row, column = divmod(piece.cell, COLUMNS)
    size = max(6, round(cells * style.cell))
    x = corner[0] + round((column + piece.kind.columns / 2) * style.cell)
    middle = corner[1] + (row + piece.kind.rows / 2) * style.cell
    colour = _CAO_NAME if piece.kind == Kind.CAO else _NAME
    for at, line in enumerate(lines):
        y = round(middle + size * (at - len(lines) / 2 + 0.5))
        draw_text(draw, (x, y), line, size, fill=colour, anchor="mm", path=style.font)
